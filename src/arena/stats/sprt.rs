//! The sequential probability ratio test (SPRT), which ends a match once the results clearly favour
//! one of two hypotheses about the Elo difference.

use std::f64::consts::SQRT_2;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use super::Pentanomial;
use super::elo::{NORMALIZED_ELO_PER_SIGMA, elo_to_score};
use super::likelihood::{PerScore, with_mean, with_t_value};

/// Maximum number of characters of the input that an error message quotes.
const MAX_ECHO: usize = 80;

/// The Elo differences under the two hypotheses of a test, in the unit of the test's [`EloModel`];
/// `elo0` is less than `elo1`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EloBounds {
    elo0: f64,
    elo1: f64,
}

impl EloBounds {
    /// The maximum absolute value of a bound.
    pub const MAX: f64 = 200.0;

    /// Creates the bounds of a test.
    ///
    /// # Errors
    ///
    /// A bound is outside ±[`EloBounds::MAX`] or not a number, or `elo0` is not below `elo1`.
    pub fn new(elo0: f64, elo1: f64) -> Result<Self, SprtError> {
        for elo in [elo0, elo1] {
            if !(-Self::MAX..=Self::MAX).contains(&elo) {
                return Err(SprtError::Range(elo));
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        Ok(EloBounds { elo0, elo1 })
    }

    /// The Elo difference of the null hypothesis H0.
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The Elo difference of the alternative hypothesis H1.
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }
}

/// Parses `elo0,elo1`, such as `0,5`.
impl FromStr for EloBounds {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || SprtError::Form(text.chars().take(MAX_ECHO).collect());
        let (elo0, elo1) = text.split_once(',').ok_or_else(form)?;
        let number = |text: &str| text.trim().parse().map_err(|_| form());
        EloBounds::new(number(elo0)?, number(elo1)?)
    }
}

/// Formats the bounds as `elo0,elo1`.
impl fmt::Display for EloBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.elo0, self.elo1)
    }
}

/// The unit of Elo bounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Logistic Elo, as in the ratings of players: the expected score follows the logistic curve.
    /// The more games are drawn, the fewer games a test needs.
    Logistic,
    /// Normalised Elo, measured in standard deviations of a single game (see
    /// [`normalized_elo`](super::normalized_elo)). The number of games a test needs does not depend
    /// on the draw rate.
    Normalized,
}

impl EloModel {
    /// The name of the model: `logistic` or `normalized`.
    pub const fn name(self) -> &'static str {
        match self {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalized",
        }
    }
}

impl FromStr for EloModel {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = [EloModel::Logistic, EloModel::Normalized];
        let unknown = || SprtError::Model(text.chars().take(MAX_ECHO).collect());
        known.into_iter().find(|model| model.name() == text).ok_or_else(unknown)
    }
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The verdict of a test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum SprtVerdict {
    /// H0 is accepted: the results fit `elo0` rather than `elo1`.
    H0,
    /// H1 is accepted: the results fit `elo1` rather than `elo0`.
    H1,
}

/// A generalised sequential probability ratio test on pairs of games.
///
/// The test compares the likelihood of the observed pairs under H1 (the Elo difference is `elo1`)
/// with the likelihood under H0 (the Elo difference is `elo0`), each for the most likely
/// distribution with that Elo difference. It ends once the ratio leaves Wald's bounds.
///
/// Source: Michel Van den Bergh, "A practical introduction to the GSPRT" and "Comments on
/// normalized Elo". Fishtest and fastchess use the same test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    #[serde(flatten)]
    elo: EloBounds,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

impl Sprt {
    /// The count assumed for scores that were not observed, so that no probability is 0.
    const UNOBSERVED_COUNT: f64 = 1e-3;

    /// Creates a test with the bounds `elo`. `alpha` is the probability of accepting H1 if the Elo
    /// difference is `elo0`; `beta` is the probability of accepting H0 if the difference is `elo1`.
    ///
    /// # Errors
    ///
    /// `alpha` or `beta` is not strictly between 0 and 0.5.
    pub fn new(elo: EloBounds, alpha: f64, beta: f64, model: EloModel) -> Result<Self, SprtError> {
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtError::ErrorRate { name, rate });
            }
        }
        Ok(Sprt { elo, alpha, beta, model })
    }

    /// The Elo differences of the two hypotheses.
    pub const fn elo(&self) -> EloBounds {
        self.elo
    }

    /// The unit of the Elo differences.
    pub const fn model(&self) -> EloModel {
        self.model
    }

    /// The log-likelihood ratios at which the test ends: H0 is accepted at or below the first, H1
    /// at or above the second.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The generalised log-likelihood ratio of H1 to H0, always finite; 0 without pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts().map(|count| (count as f64).max(Self::UNOBSERVED_COUNT));
        let total: f64 = counts.iter().sum();
        let frequencies = counts.map(|count| count / total);
        let h0 = self.likeliest(&frequencies, self.elo.elo0());
        let h1 = self.likeliest(&frequencies, self.elo.elo1());
        counts.iter().zip(h0).zip(h1).map(|((count, p0), p1)| count * (p1 / p0).ln()).sum()
    }

    /// The verdict; `None` while the test is undecided.
    pub fn verdict(&self, pairs: &Pentanomial) -> Option<SprtVerdict> {
        let (lower, upper) = self.bounds();
        match self.llr(pairs) {
            llr if llr <= lower => Some(SprtVerdict::H0),
            llr if llr >= upper => Some(SprtVerdict::H1),
            _ => None,
        }
    }

    /// The most likely distribution with the given Elo difference.
    fn likeliest(&self, frequencies: &PerScore, elo: f64) -> PerScore {
        match self.model {
            EloModel::Logistic => with_mean(frequencies, elo_to_score(elo)),
            // The mean of two games has 1/sqrt(2) times the standard deviation of a single game.
            EloModel::Normalized => {
                with_t_value(frequencies, SQRT_2 * elo / NORMALIZED_ELO_PER_SIGMA)
            }
        }
    }
}

/// Why the settings of a test are invalid.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SprtError {
    /// The text is not two numbers separated by a comma. Contains the text, truncated if it is
    /// long.
    #[error(
        "\"{}\" is not of the form ELO0,ELO1: expected two numbers, such as 0,5",
        .0.escape_debug()
    )]
    Form(String),
    /// A bound is out of range.
    #[error("bounds must be from -{max} to {max} Elo, not {0}", max = EloBounds::MAX)]
    Range(f64),
    /// `elo0` is not below `elo1`.
    #[error("elo0 = {elo0} is not below elo1 = {elo1}: the lower bound comes first")]
    Order {
        /// The value given for `elo0`.
        elo0: f64,
        /// The value given for `elo1`.
        elo1: f64,
    },
    /// There is no such model; contains the name given, truncated if it is long.
    #[error("\"{}\" is not an Elo model: expected logistic or normalized", .0.escape_debug())]
    Model(String),
    /// An error rate is out of range.
    #[error("{name} = {rate}: it must be between 0 and 0.5, such as 0.05")]
    ErrorRate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// The value given.
        rate: f64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_two_numbers() {
        for (text, elo0, elo1) in [("0,5", 0.0, 5.0), (" -1.75, 0.25", -1.75, 0.25)] {
            let bounds: EloBounds = text.parse().unwrap();
            assert_eq!((bounds.elo0(), bounds.elo1()), (elo0, elo1));
            assert_eq!(bounds.to_string().parse(), Ok(bounds));
        }
    }

    #[test]
    fn rejects_other_texts() {
        for (text, complaint) in [
            ("", "\"\" is not of the form ELO0,ELO1: expected two numbers, such as 0,5"),
            ("5", "\"5\" is not of the form ELO0,ELO1: expected two numbers, such as 0,5"),
            ("0,5,7", "\"0,5,7\" is not of the form ELO0,ELO1: expected two numbers, such as 0,5"),
            ("0,x", "\"0,x\" is not of the form ELO0,ELO1: expected two numbers, such as 0,5"),
            ("5,0", "elo0 = 5 is not below elo1 = 0: the lower bound comes first"),
            ("3,3", "elo0 = 3 is not below elo1 = 3: the lower bound comes first"),
            ("0,inf", "bounds must be from -200 to 200 Elo, not inf"),
            ("NaN,5", "bounds must be from -200 to 200 Elo, not NaN"),
            ("0,1e9", "bounds must be from -200 to 200 Elo, not 1000000000"),
        ] {
            let error = text.parse::<EloBounds>().unwrap_err();
            assert_eq!(error.to_string(), complaint);
        }
    }
}
