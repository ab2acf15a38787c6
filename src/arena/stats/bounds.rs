//! The two strengths between which a sequential test decides.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

/// The strengths of the two hypotheses of a test, `elo0` below `elo1`, in Elo of the test's model.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EloBounds {
    elo0: f64,
    elo1: f64,
}

impl EloBounds {
    /// The maximum absolute value of a bound.
    pub const MAX: f64 = 200.0;

    /// Bounds of a test.
    ///
    /// # Errors
    ///
    /// A bound is outside ±[`EloBounds::MAX`] or not a number, or `elo0` is not below `elo1`.
    pub fn new(elo0: f64, elo1: f64) -> Result<Self, BoundsError> {
        for elo in [elo0, elo1] {
            if !(-Self::MAX..=Self::MAX).contains(&elo) {
                return Err(BoundsError::Range(elo));
            }
        }
        if elo0 >= elo1 {
            return Err(BoundsError::Order { elo0, elo1 });
        }
        Ok(EloBounds { elo0, elo1 })
    }

    /// The strength of the null hypothesis H0.
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The strength of the alternative H1.
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }
}

/// Reads `elo0,elo1`, such as `0,5`.
impl FromStr for EloBounds {
    type Err = BoundsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || BoundsError::Form(text.chars().take(BoundsError::LONGEST).collect());
        let (elo0, elo1) = text.split_once(',').ok_or_else(form)?;
        let number = |text: &str| text.trim().parse().map_err(|_| form());
        EloBounds::new(number(elo0)?, number(elo1)?)
    }
}

/// The form that is read.
impl fmt::Display for EloBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.elo0, self.elo1)
    }
}

/// What is wrong with the bounds of a test.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum BoundsError {
    /// The text is not two numbers; contains the text, truncated if it is long.
    #[error(
        "\"{}\" is not elo0,elo1: two numbers and a comma, such as 0,5",
        .0.escape_debug()
    )]
    Form(String),
    /// A bound is out of range.
    #[error("a bound of {0} Elo: it must be from -{max} to {max}", max = EloBounds::MAX)]
    Range(f64),
    /// `elo0` is not below `elo1`.
    #[error("elo0 = {elo0} is not below elo1 = {elo1}: the lower bound comes first")]
    Order {
        /// The value given for `elo0`.
        elo0: f64,
        /// The value given for `elo1`.
        elo1: f64,
    },
}

impl BoundsError {
    /// The maximum number of characters that an error repeats.
    const LONGEST: usize = 80;
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
    fn refuses_anything_else() {
        for (text, complaint) in [
            ("", "\"\" is not elo0,elo1: two numbers and a comma, such as 0,5"),
            ("5", "\"5\" is not elo0,elo1: two numbers and a comma, such as 0,5"),
            ("0,5,7", "\"0,5,7\" is not elo0,elo1: two numbers and a comma, such as 0,5"),
            ("0,x", "\"0,x\" is not elo0,elo1: two numbers and a comma, such as 0,5"),
            ("5,0", "elo0 = 5 is not below elo1 = 0: the lower bound comes first"),
            ("3,3", "elo0 = 3 is not below elo1 = 3: the lower bound comes first"),
            ("0,inf", "a bound of inf Elo: it must be from -200 to 200"),
            ("NaN,5", "a bound of NaN Elo: it must be from -200 to 200"),
            ("0,1e9", "a bound of 1000000000 Elo: it must be from -200 to 200"),
        ] {
            let error = text.parse::<EloBounds>().unwrap_err();
            assert_eq!(error.to_string(), complaint);
        }
    }
}
