//! Elo estimates with confidence intervals.
//!
//! All intervals use the normal approximation, as in fishtest and fastchess: the mean score of the
//! pairs is assumed to be normally distributed around the true score, with a variance estimated
//! from the pairs. The approximation is good for a few dozen pairs or more. If all pairs have the
//! same score, the observed variance is zero; the uncertainty is then reported as unknown, except
//! that an engine that won or lost all its games has a bound.

use std::f64::consts::{LN_10, SQRT_2};

use serde::Serialize;

use super::Pentanomial;

/// Number of standard deviations on either side of the mean that cover 95 % of a normal
/// distribution.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// The probability of an engine's results if its Elo is at the bound computed from them.
pub(super) const BOUND_PROBABILITY: f64 = 0.05;

/// Normalised Elo for each standard deviation (of a single game) by which the mean score exceeds
/// 1/2. With this factor, small values equal logistic Elo if all games are decisive.
pub(super) const NORMALIZED_ELO_PER_SIGMA: f64 = 800.0 / LN_10;

/// An estimate with its 95 % confidence interval. A value or bound is `None` if it is unknown or
/// infinite.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Estimate {
    /// The point estimate.
    pub value: Option<f64>,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

impl Estimate {
    /// Half the width of the interval, such as the 3.2 in `7.1 +- 3.2`; `None` if a bound is
    /// unknown or infinite.
    pub fn margin(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

/// The expected score, 0 to 1, of a player rated `elo` above the opponent.
pub fn elo_to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference at which `score` is expected; `None` unless `score` is strictly between 0 and
/// 1.
pub fn score_to_elo(score: f64) -> Option<f64> {
    let elo = 400.0 * (score / (1.0 - score)).log10();
    (score > 0.0 && score < 1.0 && elo.is_finite()).then_some(elo)
}

/// The Elo difference between the first engine and the second, on the logistic curve. The bounds
/// are those of the score interval, converted to Elo. If one engine won all games, there is only one
/// bound: the Elo at which the probability of that is 5 %.
pub fn logistic_elo(pairs: &Pentanomial) -> Estimate {
    if let Some((games, is_first)) = swept(pairs) {
        let bound = score_to_elo(BOUND_PROBABILITY.powf(1.0 / games));
        return match is_first {
            true => Estimate { low: bound, ..Estimate::default() },
            false => Estimate { high: bound.map(|bound| -bound), ..Estimate::default() },
        };
    }
    let (low, high) = score_interval(pairs).unzip();
    Estimate {
        value: pairs.score().and_then(score_to_elo),
        low: low.and_then(score_to_elo),
        high: high.and_then(score_to_elo),
    }
}

/// The normalised Elo difference: the distance of the mean score from 1/2, in standard deviations
/// of a single game, times 800/ln 10. The number of games needed to detect a given difference does
/// not depend on the draw rate. The interval ignores the uncertainty of the standard deviation.
///
/// Source: Michel Van den Bergh, "Comments on normalized Elo".
pub fn normalized_elo(pairs: &Pentanomial) -> Estimate {
    // The variance of a single game is twice the variance of the mean of two games.
    let deviation = pairs.variance().filter(|&variance| variance > 0.0).map(|v| SQRT_2 * v.sqrt());
    let normalize = |score: f64| Some((score - 0.5) / deviation? * NORMALIZED_ELO_PER_SIGMA);
    let (low, high) = score_interval(pairs).unzip();
    Estimate {
        value: pairs.score().and_then(normalize),
        low: low.and_then(normalize),
        high: high.and_then(normalize),
    }
}

/// The likelihood of superiority (LOS), 0 to 1: the probability that the first engine is stronger,
/// given a uniform prior of its Elo or, if one engine won all games, of its expected score. `None`
/// if the pairs show no variance.
pub fn superiority(pairs: &Pentanomial) -> Option<f64> {
    if let Some((games, is_first)) = swept(pairs) {
        let chance = 0.5f64.powf(games + 1.0);
        return Some(if is_first { 1.0 - chance } else { chance });
    }
    let deviations = (pairs.score()? - 0.5) / standard_error(pairs)?;
    Some(libm::erfc(-deviations / SQRT_2) / 2.0)
}

/// The number of games if one engine won all of them, and whether it was the first.
fn swept(pairs: &Pentanomial) -> Option<(f64, bool)> {
    let score = pairs.score()?;
    (score == 0.0 || score == 1.0).then_some((2.0 * pairs.pairs() as f64, score == 1.0))
}

/// The 95 % confidence interval for the true score; it may extend beyond 0 and 1.
fn score_interval(pairs: &Pentanomial) -> Option<(f64, f64)> {
    let (score, margin) = (pairs.score()?, Z_95 * standard_error(pairs)?);
    Some((score - margin, score + margin))
}

/// The standard error of the mean score, always positive; `None` if the pairs show no variance.
fn standard_error(pairs: &Pentanomial) -> Option<f64> {
    let variance = pairs.variance().filter(|&variance| variance > 0.0)?;
    Some((variance / pairs.pairs() as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult::{Loss, Win};

    #[test]
    fn an_engine_that_won_everything_has_a_bound() {
        let (mut won, mut lost) = (Pentanomial::default(), Pentanomial::default());
        (0..10).for_each(|_| won.add([Win, Win]));
        (0..10).for_each(|_| lost.add([Loss, Loss]));
        let [won_elo, lost_elo] = [&won, &lost].map(logistic_elo);
        // At an expected score of 86 %, or 316 Elo, the probability of 20 wins in 20 games is 5 %.
        assert!((won_elo.low.unwrap() - 316.0).abs() < 1.0, "{won_elo:?}");
        assert_eq!((won_elo.value, won_elo.high), (None, None));
        assert_eq!(lost_elo, Estimate { high: won_elo.low.map(|low| -low), ..lost_elo });
        assert_eq!((lost_elo.value, lost_elo.low), (None, None));
        let [likely, unlikely] = [&won, &lost].map(|pairs| superiority(pairs).unwrap());
        assert!(likely > 0.999_999 && likely < 1.0 && unlikely > 0.0, "{likely} {unlikely}");
    }
}
