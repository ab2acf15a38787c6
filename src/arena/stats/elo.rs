//! Strength as Elo, with its uncertainty.
//!
//! Every interval here is the normal approximation that fishtest and fastchess report: the mean
//! score of the pairs is taken as normally distributed around the true one, with the variance that
//! the pairs show. It is good from some dozens of pairs on. Pairs that all have the same score show
//! no variance; then the uncertainty is unknown, not zero.

use std::f64::consts::{LN_10, SQRT_2};

use serde::Serialize;

use super::Pentanomial;

/// Standard deviations either side that hold 95 % of a normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// Normalised Elo of a mean that is one standard deviation of a game above 1/2: where all games are
/// decided, a little normalised Elo is as much Elo.
pub(super) const NORMALIZED_ELO_PER_SIGMA: f64 = 800.0 / LN_10;

/// A number with its 95 % interval. A bound that is not known, or infinitely far away, is `None`; so
/// is the value.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Estimate {
    /// The best guess.
    pub value: Option<f64>,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

impl Estimate {
    /// Half the length of the interval: the `3.2` of `7.1 +- 3.2`. `None` if an end is open.
    pub fn margin(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

/// The expected score, 0 to 1, of a player who is stronger by `elo`.
pub fn elo_to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference at which `score` is expected; `None` for 0, 1 and all beyond, where it is
/// infinite.
pub fn score_to_elo(score: f64) -> Option<f64> {
    let elo = 400.0 * (score / (1.0 - score)).log10();
    (score > 0.0 && score < 1.0 && elo.is_finite()).then_some(elo)
}

/// The Elo difference between the first engine and the second, by the logistic curve. The interval
/// is that of the score, sent through the curve.
pub fn logistic_elo(pairs: &Pentanomial) -> Estimate {
    let (low, high) = score_interval(pairs).unzip();
    Estimate {
        value: pairs.score().and_then(score_to_elo),
        low: low.and_then(score_to_elo),
        high: high.and_then(score_to_elo),
    }
}

/// The normalised Elo difference: how many standard deviations of a game the mean score is above
/// 1/2, times 800/ln 10. It says how many games it takes to see the difference, whatever the share
/// of draws. The deviation itself is taken as known.
///
/// Source: Michel Van den Bergh, "Comments on normalized Elo".
pub fn normalized_elo(pairs: &Pentanomial) -> Estimate {
    // A game's variance is twice that of the mean of two games.
    let deviation = pairs.variance().filter(|&variance| variance > 0.0).map(|v| SQRT_2 * v.sqrt());
    let normalize = |score: f64| Some((score - 0.5) / deviation? * NORMALIZED_ELO_PER_SIGMA);
    let (low, high) = score_interval(pairs).unzip();
    Estimate {
        value: pairs.score().and_then(normalize),
        low: low.and_then(normalize),
        high: high.and_then(normalize),
    }
}

/// The likelihood of superiority (LOS), 0 to 1: how probable it is that the first engine is the
/// stronger one, if nothing was known before the match. `None` while the pairs show no variance.
pub fn superiority(pairs: &Pentanomial) -> Option<f64> {
    let deviations = (pairs.score()? - 0.5) / standard_error(pairs)?;
    Some(libm::erfc(-deviations / SQRT_2) / 2.0)
}

/// Where the true score lies with 95 %; it may reach beyond 0 and 1.
fn score_interval(pairs: &Pentanomial) -> Option<(f64, f64)> {
    let (score, margin) = (pairs.score()?, Z_95 * standard_error(pairs)?);
    Some((score - margin, score + margin))
}

/// The standard deviation of the mean score, above 0; `None` if the pairs show no variance.
fn standard_error(pairs: &Pentanomial) -> Option<f64> {
    let variance = pairs.variance().filter(|&variance| variance > 0.0)?;
    Some((variance / pairs.pairs() as f64).sqrt())
}
