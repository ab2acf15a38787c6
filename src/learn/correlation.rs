//! The correlation of scores with game results, by material.
//!
//! The loss on search scores cannot reveal an advantage that both the network and the searches it
//! is trained on fail to see. The correlation with results can, most clearly in positions with many
//! pieces.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::game::GameResult;
use crate::learn::data::Sample;

/// The number of piece counts per group: 1 to 4 pieces, 5 to 8, and so on.
pub const GROUP: usize = 4;

/// Running sums over pairs of numbers, for computing Pearson's correlation coefficient.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Correlation {
    count: u64,
    /// The sums of both numbers.
    sums: [f64; 2],
    /// The sums of their squares.
    squares: [f64; 2],
    /// The sum of their products.
    products: f64,
}

impl Correlation {
    /// Adds a pair of numbers.
    pub fn add(&mut self, pair: [f64; 2]) {
        self.count += 1;
        for (place, number) in pair.into_iter().enumerate() {
            self.sums[place] += number;
            self.squares[place] += number * number;
        }
        self.products += pair[0] * pair[1];
    }

    /// The number of pairs.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The correlation coefficient, -1 to 1; `None` if one of the numbers never varies.
    pub fn coefficient(&self) -> Option<f64> {
        let count = self.count as f64;
        let [x, y] = self.sums;
        let variance = |place: usize| count * self.squares[place] - self.sums[place].powi(2);
        let scale = (variance(0) * variance(1)).sqrt();
        (scale > f64::EPSILON * count).then(|| (count * self.products - x * y) / scale)
    }
}

/// The correlation of predicted winning chances with game results, by material.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ResultCorrelations {
    /// Over all positions.
    pub all: Correlation,
    /// Over positions without and with kings, by the largest number of pieces in the group.
    pub groups: BTreeMap<usize, [Correlation; 2]>,
}

impl ResultCorrelations {
    /// Adds a position: its material, its predicted winning chance, and the points scored in its
    /// game. The last two are from 0 to 1, for the side to move.
    pub fn add(&mut self, pieces: usize, has_kings: bool, chance: f64, points: f64) {
        self.all.add([chance, points]);
        let group = self.groups.entry(pieces.next_multiple_of(GROUP)).or_default();
        group[usize::from(has_kings)].add([chance, points]);
    }

    /// Adds a sample from a game, using its search score, unless it is part of a digression.
    pub fn add_sample(&mut self, sample: &Sample) {
        if !sample.is_digression {
            let [[_, white], [_, black]] = sample.setup.pieces;
            let points = GameResult::of(sample.winner, sample.setup.side).half_points();
            let chance = winning_chance(f32::from(sample.score.0) / 100.0);
            let has_kings = (white | black).is_some();
            self.add(sample.pieces(), has_kings, chance.into(), f64::from(points) / 2.0);
        }
    }
}

/// The winning chance for a lead in men: the logistic function.
#[inline]
pub fn winning_chance(lead: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-lead))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficient_is_that_of_pearson() {
        let of = |pairs: &[[f64; 2]]| {
            let mut correlation = Correlation::default();
            pairs.iter().for_each(|&pair| correlation.add(pair));
            correlation.coefficient()
        };
        // Anscombe's first data set (F. Anscombe, Graphs in statistical analysis, 1973).
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let pairs: Vec<_> = x.into_iter().zip(y).map(|(x, y)| [x, y]).collect();
        assert!((of(&pairs).unwrap() - 0.81642).abs() < 1e-5);
        assert!((of(&[[0.0, 1.0], [1.0, 0.5], [2.0, 0.0]]).unwrap() + 1.0).abs() < 1e-9);
        assert_eq!(of(&[[0.3, 0.5], [0.4, 0.5], [0.5, 0.5]]), None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn positions_are_grouped_by_material() {
        let mut correlations = ResultCorrelations::default();
        for (pieces, has_kings) in [(3, true), (4, true), (4, false), (5, false), (24, false)] {
            correlations.add(pieces, has_kings, 0.5, 1.0);
        }
        let counts = |group: &[Correlation; 2]| group.map(|correlation| correlation.count());
        let groups: Vec<_> =
            correlations.groups.iter().map(|(&most, group)| (most, counts(group))).collect();
        assert_eq!(groups, [(4, [1, 2]), (8, [1, 0]), (24, [1, 0])]);
        assert_eq!(correlations.all.count(), 5);
    }
}
