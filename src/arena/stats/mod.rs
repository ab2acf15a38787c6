//! Match statistics: Elo estimates with confidence intervals, and the sequential test that can end
//! a match.
//!
//! The statistics of two engines are computed from a [`Pentanomial`], the number of pairs of games
//! with each score. `elo` contains the Elo estimates, and `sprt` the sequential test, which uses the
//! maximum-likelihood estimation in `likelihood`. `ratings` rates all players of a tournament.
//!
//! ```
//! use manoury::arena::stats::{EloModel, Pentanomial, Sprt, logistic_elo};
//!
//! let pairs = Pentanomial::from_counts([20, 300, 1500, 380, 30]);
//! let elo = logistic_elo(&pairs);
//! assert!(elo.low < elo.value && elo.value < elo.high);
//!
//! let sprt = Sprt::new("0,5".parse()?, 0.05, 0.05, EloModel::Normalized)?;
//! assert!(sprt.llr(&pairs) > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod elo;
mod likelihood;
mod ratings;
mod sprt;

use serde::{Deserialize, Serialize};

use crate::game::GameResult;

pub use elo::{Estimate, elo_to_score, logistic_elo, normalized_elo, score_to_elo, superiority};
pub use ratings::{
    GamePair, MAX_RATED_PLAYERS, RatedGames, RatingError, RatingRow, RatingScale, RatingTable,
    Ratings,
};
pub use sprt::{EloBounds, EloModel, Sprt, SprtError, SprtVerdict};

/// The number of colour-reversed pairs in which the first engine has scored 0, 1/2, 1, 3/2 and 2
/// points.
///
/// The two games of a pair start from the same opening, so their results are correlated; the
/// results of different pairs are not. Variances must therefore be computed from pairs, never from
/// single games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial([u64; 5]);

impl Pentanomial {
    /// The possible scores of a pair, as fractions of its 2 points, in the order of the counts.
    pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// The counts of pairs with 0, 1/2, 1, 3/2 and 2 points for the first engine.
    pub const fn from_counts(counts: [u64; 5]) -> Self {
        Pentanomial(counts)
    }

    /// Adds a pair, given the results of its two games for the first engine.
    pub fn add(&mut self, games: [GameResult; 2]) {
        let count = &mut self.0[usize::from(games[0].half_points() + games[1].half_points())];
        *count = count.saturating_add(1);
    }

    /// The counts of pairs with 0, 1/2, 1, 3/2 and 2 points for the first engine.
    pub const fn counts(&self) -> [u64; 5] {
        self.0
    }

    /// The same pairs from the other engine's point of view.
    pub const fn reversed(self) -> Self {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.into_iter().fold(0, u64::saturating_add)
    }

    /// The mean score of the first engine, 0 to 1; `None` without pairs.
    pub fn score(&self) -> Option<f64> {
        self.moments().map(|(mean, _)| mean)
    }

    /// The observed variance of the score of a pair, 0 to 1/4: the mean squared distance from the
    /// mean score. `None` without pairs.
    pub fn variance(&self) -> Option<f64> {
        self.moments().map(|(_, variance)| variance)
    }

    /// The mean and variance of the score. The mean is computed from integers, so that the variance
    /// is exactly 0 if all pairs have the same score.
    fn moments(&self) -> Option<(f64, f64)> {
        let counts = self.0.map(|count| count as f64);
        let pairs: f64 = counts.iter().sum();
        if pairs == 0.0 {
            return None;
        }
        let quarters: f64 = counts.iter().zip([0.0, 1.0, 2.0, 3.0, 4.0]).map(|(n, q)| n * q).sum();
        let mean = quarters / (4.0 * pairs);
        let squares = counts.iter().zip(Self::SCORES).map(|(n, score)| n * (score - mean).powi(2));
        Some((mean, squares.sum::<f64>() / pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult::{Draw, Loss, Win};

    #[test]
    fn counts_pairs_by_points() {
        let mut pairs = Pentanomial::default();
        for games in
            [[Loss, Loss], [Draw, Loss], [Loss, Win], [Draw, Draw], [Win, Draw], [Win, Win]]
        {
            pairs.add(games);
        }
        assert_eq!(pairs.counts(), [1, 1, 2, 1, 1]);
        assert_eq!(pairs.pairs(), 6);
        pairs.add([Win, Win]);
        assert_eq!(pairs.reversed().counts(), [2, 1, 2, 1, 1]);
    }

    #[test]
    fn reversed_games_make_reversed_pairs() {
        for games in [[Loss, Loss], [Loss, Draw], [Win, Loss], [Win, Draw], [Win, Win]] {
            let (mut pairs, mut reversed) = (Pentanomial::default(), Pentanomial::default());
            pairs.add(games);
            reversed.add(games.map(GameResult::reversed));
            assert_eq!(pairs.reversed(), reversed);
        }
    }

    #[test]
    fn score_and_variance() {
        let pairs = Pentanomial::from_counts([1, 0, 0, 0, 1]);
        assert_eq!((pairs.score(), pairs.variance()), (Some(0.5), Some(0.25)));
        let pairs = Pentanomial::from_counts([0, 1, 2, 1, 0]);
        assert_eq!((pairs.score(), pairs.variance()), (Some(0.5), Some(0.03125)));
        let same = Pentanomial::from_counts([0, 0, 0, 12_345_677, 0]);
        assert_eq!((same.score(), same.variance()), (Some(0.75), Some(0.0)));
        assert_eq!(
            (Pentanomial::default().score(), Pentanomial::default().variance()),
            (None, None)
        );
    }

    #[test]
    fn is_an_array_in_json() {
        let pairs = Pentanomial::from_counts([1, 20, 300, 40, 5]);
        let text = serde_json::to_string(&pairs).unwrap();
        assert_eq!(text, "[1,20,300,40,5]");
        assert_eq!(serde_json::from_str::<Pentanomial>(&text).unwrap(), pairs);
    }
}
