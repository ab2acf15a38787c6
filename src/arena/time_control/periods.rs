//! The periods of a game's time control.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Maximum number of periods.
const MAX_PERIODS: usize = 4;

/// The periods of a game, in order. Time left at the end of a period is kept. The last period lasts
/// for the rest of the game or, if it has a number of moves, is repeated. As text:
/// `40/600:20/300:60+5`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Periods {
    /// The first period.
    #[serde(flatten)]
    pub first: Period,
    /// The later periods.
    #[serde(default, skip_serializing_if = "has_none")]
    pub later: [Option<Period>; MAX_PERIODS - 1],
}

/// A period of a game. As text: moves, time and increment, such as `40/600+5`.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Period {
    /// Time in seconds.
    pub time: f64,
    /// Time added before each move, in seconds.
    pub increment: f64,
    /// The number of moves; `None` if the period lasts for the rest of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

fn has_none(later: &[Option<Period>; MAX_PERIODS - 1]) -> bool {
    later.iter().all(Option::is_none)
}

/// A single period with this time, in seconds.
impl From<f64> for Periods {
    fn from(time: f64) -> Periods {
        Period { time, ..Period::default() }.into()
    }
}

impl From<Period> for Periods {
    fn from(first: Period) -> Periods {
        Periods { first, later: [None; MAX_PERIODS - 1] }
    }
}

impl Periods {
    /// All periods.
    pub(super) fn iter(&self) -> impl Iterator<Item = Period> {
        [Some(self.first)].into_iter().chain(self.later).flatten()
    }

    /// The period with this index; the last period is repeated.
    pub(super) fn period(&self, index: usize) -> Period {
        self.iter().take(index + 1).last().unwrap_or(self.first)
    }

    /// Whether there is only a time for the whole game, without moves or an increment.
    pub(super) fn is_plain(&self) -> bool {
        *self == Periods::from(self.first.time)
    }
}

impl FromStr for Periods {
    type Err = String;

    fn from_str(text: &str) -> Result<Periods, String> {
        let mut periods = text.split(':').map(str::parse::<Period>);
        let first = periods.next().unwrap_or_else(|| Err(PERIODS_EXPECTED.to_owned()))?;
        let mut later = [None; MAX_PERIODS - 1];
        for (index, period) in periods.enumerate() {
            let place = later.get_mut(index);
            *place.ok_or_else(|| format!("at most {MAX_PERIODS} periods are allowed"))? =
                Some(period?);
        }
        let periods = Periods { first, later };
        let count = periods.iter().count();
        if periods.iter().take(count - 1).any(|period| period.moves.is_none()) {
            return Err("each period but the last needs a number of moves, as in 40/600".to_owned());
        }
        Ok(periods)
    }
}

/// The error message for a text that is neither a time nor periods.
const PERIODS_EXPECTED: &str =
    "expected seconds, such as 60, or periods, such as 40/600:20/300:60+5";

impl FromStr for Period {
    type Err = String;

    fn from_str(text: &str) -> Result<Period, String> {
        let parse = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.parse().ok()?), rest),
                None => (None, text),
            };
            let (time, increment) = match rest.split_once('+') {
                Some((time, increment)) => (time, increment.parse().ok()?),
                None => (rest, 0.0),
            };
            Some(Period { time: time.parse().ok()?, increment, moves })
        };
        parse().ok_or_else(|| PERIODS_EXPECTED.to_owned())
    }
}

impl fmt::Display for Periods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<_> = self.iter().map(|period| period.to_string()).collect();
        f.write_str(&texts.join(":"))
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Period { time, increment, moves } = self;
        let moves = moves.map(|moves| format!("{moves}/")).unwrap_or_default();
        let increment = if *increment > 0.0 { format!("+{increment}") } else { String::new() };
        write!(f, "{moves}{time}{increment}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_times_that_are_none() {
        for (text, word) in [
            ("", "expected seconds"),
            ("40/", "expected seconds"),
            ("x/60", "expected seconds"),
            ("40/600:", "expected seconds"),
            ("60:60", "number of moves"),
            ("1/1:1/1:1/1:1/1:1", "at most 4"),
        ] {
            let message = text.parse::<Periods>().unwrap_err();
            assert!(message.contains(word), "{text}: {message}");
        }
    }
}
