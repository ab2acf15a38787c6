//! The sequential probability ratio test (SPRT): play until it is clear which of two strengths
//! fits the pairs better.

use std::f64::consts::SQRT_2;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::Pentanomial;
use super::bounds::EloBounds;
use super::elo::{NORMALIZED_ELO_PER_SIGMA, elo_to_score};
use super::likelihood::{PerScore, with_mean, with_t_value};

/// What the Elo of the bounds means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// The Elo that players know: the expected score on the logistic curve. The more draws, the
    /// fewer games a test takes.
    Logistic,
    /// Elo in standard deviations of a game (see [`normalized_elo`](super::normalized_elo)). A test
    /// takes as many games however many of them are drawn.
    Normalized,
}

impl Model {
    /// Its name: `logistic` or `normalized`.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Logistic => "logistic",
            Model::Normalized => "normalized",
        }
    }
}

impl FromStr for Model {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = [Model::Logistic, Model::Normalized];
        let unknown = || SprtError::Model(text.chars().take(SprtError::LONGEST).collect());
        known.into_iter().find(|model| model.name() == text).ok_or_else(unknown)
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a test has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum Verdict {
    /// H0 is accepted: `elo0` fits, `elo1` does not.
    H0,
    /// H1 is accepted: `elo1` fits, `elo0` does not.
    H1,
}

/// A generalised sequential probability ratio test on pairs of games.
///
/// It compares how likely the pairs are if the strength is `elo1` (H1) and if it is `elo0` (H0),
/// each with the likeliest distribution of that strength, and ends as soon as the ratio leaves the
/// bounds of Wald.
///
/// Source: Michel Van den Bergh, "A practical introduction to the GSPRT" and "Comments on
/// normalized Elo"; fishtest and fastchess compute the same.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    #[serde(flatten)]
    elo: EloBounds,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl Sprt {
    /// A count of 0 is taken as this: what has not been seen is not impossible.
    const UNSEEN: f64 = 1e-3;

    /// A test between the bounds `elo`. `alpha` is the probability to accept H1 although the
    /// strength is `elo0`, `beta` that to accept H0 although it is `elo1`.
    ///
    /// # Errors
    ///
    /// If `alpha` or `beta` is not between 0 and 0.5, the ends excluded.
    pub fn new(elo: EloBounds, alpha: f64, beta: f64, model: Model) -> Result<Self, SprtError> {
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtError::ErrorRate { name, rate });
            }
        }
        Ok(Sprt { elo, alpha, beta, model })
    }

    /// The strengths of the two hypotheses.
    pub const fn elo(&self) -> EloBounds {
        self.elo
    }

    /// What the Elo of the hypotheses means.
    pub const fn model(&self) -> Model {
        self.model
    }

    /// The log-likelihood ratios at which the test ends: H0 is accepted from the first one down, H1
    /// from the second one up.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The generalised log-likelihood ratio of H1 to H0, a finite number; 0 without a pair.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts().map(|count| (count as f64).max(Self::UNSEEN));
        let total: f64 = counts.iter().sum();
        let frequencies = counts.map(|count| count / total);
        let h0 = self.likeliest(&frequencies, self.elo.elo0());
        let h1 = self.likeliest(&frequencies, self.elo.elo1());
        counts.iter().zip(h0).zip(h1).map(|((count, p0), p1)| count * (p1 / p0).ln()).sum()
    }

    /// How the test has ended, `None` while it must go on.
    pub fn verdict(&self, pairs: &Pentanomial) -> Option<Verdict> {
        let (lower, upper) = self.bounds();
        match self.llr(pairs) {
            llr if llr <= lower => Some(Verdict::H0),
            llr if llr >= upper => Some(Verdict::H1),
            _ => None,
        }
    }

    /// The likeliest distribution of a strength.
    fn likeliest(&self, frequencies: &PerScore, elo: f64) -> PerScore {
        match self.model {
            Model::Logistic => with_mean(frequencies, elo_to_score(elo)),
            // The mean of two games has 1/sqrt 2 of a game's deviation.
            Model::Normalized => with_t_value(frequencies, SQRT_2 * elo / NORMALIZED_ELO_PER_SIGMA),
        }
    }
}

/// What is wrong with the settings of a test.
#[derive(Clone, PartialEq, Debug)]
pub enum SprtError {
    /// There is no such model; its name, cut off if it is long.
    Model(String),
    /// An error rate is out of range.
    ErrorRate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// What was given.
        rate: f64,
    },
}

impl SprtError {
    /// The longest text an error repeats.
    const LONGEST: usize = 80;
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SprtError::Model(text) => {
                let text = text.escape_debug();
                write!(f, "\"{text}\" is not a model of Elo: logistic or normalized")
            }
            SprtError::ErrorRate { name, rate } => {
                write!(f, "{name} = {rate}: it must be between 0 and 0.5, such as 0.05")
            }
        }
    }
}

impl std::error::Error for SprtError {}
