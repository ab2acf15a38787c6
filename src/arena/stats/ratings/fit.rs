//! Fits ratings to results by Newton's method, and estimates the covariances of the ratings.

use crate::game::GameResult;

use super::super::elo::BOUND_PROBABILITY;
use super::super::elo_to_score;
use super::SCALE;

/// The standard deviation, in Elo, of the prior distribution of White's advantage. Without this
/// prior, the advantage would be infinite if White won all games.
const ADVANTAGE_DEVIATION: f64 = 200.0;
/// The maximum number of steps of Newton's method; about six are usually enough.
const MAX_STEPS: usize = 100;
/// The maximum change of a rating per step, in logarithmic units. It makes Newton's method converge
/// from any starting point.
const MAX_STEP: f64 = 2.0;
/// Newton's method has converged once no rating changes by more than this, in logarithmic units.
const PRECISION: f64 = 1e-10;

/// Ratings on a logarithmic scale, followed by White's advantage, and the covariances of these
/// values, which are unknown if there are too few games.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The ratings, as natural logarithms of odds, followed by White's advantage.
    pub values: Vec<f64>,
    covariances: Option<Matrix>,
}

/// A square matrix.
type Matrix = Vec<Vec<f64>>;

/// A game: the rows of White and Black, and White's score, 0 to 1.
pub type FitGame = (usize, usize, f64);

/// Games with the same colours and result, between a player outside the fit and one in it.
#[derive(Clone, Copy, Debug)]
pub struct GameAgainst {
    /// The row of the opponent.
    pub row: usize,
    /// Whether the player had White.
    pub is_white: bool,
    /// The result for the player.
    pub result: GameResult,
    /// The number of such games.
    pub count: f64,
}

impl Fit {
    /// Fits the ratings of `count` players, with mean 0, by Newton's method.
    pub fn new(pairs: &[(Vec<FitGame>, f64)], count: usize) -> Fit {
        let mut fit = Fit { values: vec![0.0; count + 1], covariances: None };
        for _ in 0..MAX_STEPS {
            let (gradient, inverse) = fit.slopes(pairs);
            let step: Vec<_> = inverse.iter().map(|row| dot(row, &gradient)).collect();
            let longest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
            let share = (MAX_STEP / longest).min(1.0);
            fit.values.iter_mut().zip(&step).for_each(|(value, part)| *value += share * part);
            if longest < PRECISION {
                break;
            }
        }
        fit.covariances = fit.covariances(pairs);
        fit
    }

    /// The expected score of White, 0 to 1.
    fn expected(&self, white: usize, black: usize) -> f64 {
        let lead = self.values[white] - self.values[black] + self.values[self.advantage()];
        elo_to_score(SCALE * lead)
    }

    /// The row of White's advantage.
    fn advantage(&self) -> usize {
        self.values.len() - 1
    }

    /// The gradient of the log-likelihood, and the inverse of its negated Hessian. Additional terms
    /// fix the mean of the ratings at 0 and apply the prior of the advantage.
    fn slopes(&self, pairs: &[(Vec<FitGame>, f64)]) -> (Vec<f64>, Matrix) {
        let (size, advantage) = (self.values.len(), self.advantage());
        let precision = (SCALE / ADVANTAGE_DEVIATION).powi(2);
        let mut curvature = vec![vec![1.0; size]; size];
        curvature[advantage].fill(0.0);
        curvature.iter_mut().for_each(|row| row[advantage] = 0.0);
        curvature[advantage][advantage] = precision;
        let mean: f64 = self.values[..advantage].iter().sum();
        let mut gradient = vec![-mean; size];
        gradient[advantage] = -precision * self.values[advantage];
        for (games, count) in pairs {
            for &(white, black, score) in games {
                let expected = self.expected(white, black);
                let parts = [(white, 1.0), (black, -1.0), (advantage, 1.0)];
                for (row, sign) in parts {
                    gradient[row] += count * sign * (score - expected);
                    for (column, other) in parts {
                        let weight = count * expected * (1.0 - expected);
                        curvature[row][column] += weight * sign * other;
                    }
                }
            }
        }
        (gradient, inverse(curvature))
    }

    /// The covariances of the values; `None` unless there are more pairs than players.
    fn covariances(&self, pairs: &[(Vec<FitGame>, f64)]) -> Option<Matrix> {
        let (size, advantage) = (self.values.len(), self.advantage());
        let total: f64 = pairs.iter().map(|(_, count)| count).sum();
        let freedom = total - (size - 1) as f64;
        if freedom <= 0.0 {
            return None;
        }
        let mut observed = vec![vec![0.0; size]; size];
        for (games, count) in pairs {
            let mut slope = Vec::new();
            for &(white, black, score) in games {
                let surprise = score - self.expected(white, black);
                slope.extend([(white, surprise), (black, -surprise), (advantage, surprise)]);
            }
            for &(row, one) in &slope {
                for &(column, other) in &slope {
                    observed[row][column] += count * total / freedom * one * other;
                }
            }
        }
        let (_, inverse) = self.slopes(pairs);
        Some(product(&product(&inverse, &observed), &inverse))
    }

    /// The variance of a value; `None` if unknown.
    pub fn variance(&self, row: usize) -> Option<f64> {
        Some(self.covariances.as_ref()?[row][row]).filter(|&variance| variance > 0.0)
    }

    /// The variance of the difference of two values; `None` if unknown.
    pub fn variance_of_difference(&self, one: usize, other: usize) -> Option<f64> {
        let all = self.covariances.as_ref()?;
        let variance = all[one][one] + all[other][other] - 2.0 * all[one][other];
        (one == other).then_some(0.0).or(Some(variance).filter(|&variance| variance > 0.0))
    }

    /// The lower and upper bounds, in logarithmic units, of the rating of a player outside the fit.
    /// A player that won all `games` has a lower bound, and one that lost all has an upper bound;
    /// at the bound, the probability of these results is [`BOUND_PROBABILITY`].
    pub fn bound(&self, games: &[GameAgainst]) -> (Option<f64>, Option<f64>) {
        let all = |wanted| !games.is_empty() && games.iter().all(|game| game.result == wanted);
        let sign = match (all(GameResult::Win), all(GameResult::Loss)) {
            (true, _) => 1.0,
            (_, true) => -1.0,
            _ => return (None, None),
        };
        let log_probability = |value: f64| -> f64 {
            let log = |game: &GameAgainst| {
                let advantage = self.values[self.advantage()];
                let lead = value - self.values[game.row];
                let lead = if game.is_white { lead + advantage } else { lead - advantage };
                game.count * elo_to_score(SCALE * sign * lead).ln()
            };
            games.iter().map(log).sum()
        };
        // The probability of winning all games increases with the rating; that of losing all
        // decreases.
        let (mut low, mut high) = (-40.0, 40.0);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            let is_likely = log_probability(middle) > BOUND_PROBABILITY.ln();
            if is_likely == (sign > 0.0) { high = middle } else { low = middle }
        }
        if sign > 0.0 { (Some(low), None) } else { (None, Some(low)) }
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The inverse of a symmetric positive definite matrix, by Gauss-Jordan elimination, which needs no
/// pivoting for such matrices.
fn inverse(mut matrix: Matrix) -> Matrix {
    let size = matrix.len();
    for pivot in 0..size {
        let mut pivot_row = std::mem::take(&mut matrix[pivot]);
        let scale = 1.0 / std::mem::replace(&mut pivot_row[pivot], 1.0);
        pivot_row.iter_mut().for_each(|value| *value *= scale);
        for row in matrix.iter_mut().filter(|row| !row.is_empty()) {
            let factor = std::mem::replace(&mut row[pivot], 0.0);
            row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
        }
        matrix[pivot] = pivot_row;
    }
    matrix
}

/// The product of two square matrices.
fn product(one: &Matrix, other: &Matrix) -> Matrix {
    let row = |row: &Vec<f64>| {
        let mut sum = vec![0.0; row.len()];
        for (factor, line) in row.iter().zip(other) {
            sum.iter_mut().zip(line).for_each(|(sum, value)| *sum += factor * value);
        }
        sum
    };
    one.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverts_matrices() {
        let matrix = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -1.0], vec![0.5, -1.0, 2.0]];
        for (row, line) in product(&matrix, &inverse(matrix.clone())).iter().enumerate() {
            for (column, value) in line.iter().enumerate() {
                assert!((value - f64::from(row == column)).abs() < 1e-12);
            }
        }
    }
}
