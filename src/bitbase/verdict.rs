//! All that can be known about a position.

use std::cmp::Ordering;
use std::fmt;

use super::value::Value;

/// How the game ends with best play, and when. Better ones are greater: wins that come soon, then
/// draws, then losses that come late.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// How the game ends.
    pub value: Value,
    /// In how many plies; `None` for a draw, or where it is not known.
    pub plies: Option<u8>,
}

impl Verdict {
    /// The same for the opponent, who has made a move to get here.
    pub fn before(self) -> Verdict {
        Verdict { value: -self.value, plies: self.plies.and_then(|plies| plies.checked_add(1)) }
    }

    /// What is not known could be any number: it is taken for the best, so that the best of some
    /// verdicts is only known if they all are.
    fn rank(self) -> (Value, u32) {
        let plies = self.plies.map(u32::from);
        match self.value {
            Value::Win => (self.value, u32::MAX - plies.map_or(0, |plies| plies + 1)),
            Value::Draw => (self.value, 0),
            Value::Loss => (self.value, plies.unwrap_or(u32::MAX)),
        }
    }
}

/// `win in 3`, `draw`; `loss` where the plies are not known.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies {
            Some(plies) => write!(f, "{} in {plies}", self.value),
            None => self.value.fmt(f),
        }
    }
}

impl Ord for Verdict {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Verdict {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_is_greater() {
        let verdict = |value, plies| Verdict { value, plies };
        let ascending = [
            verdict(Value::Loss, Some(0)),
            verdict(Value::Loss, Some(8)),
            verdict(Value::Loss, None),
            verdict(Value::Draw, None),
            verdict(Value::Win, Some(9)),
            verdict(Value::Win, Some(1)),
            verdict(Value::Win, None),
        ];
        assert!(ascending.is_sorted());
        assert!(ascending.windows(2).all(|pair| pair[0] != pair[1] && pair[0] < pair[1]));
        assert_eq!(verdict(Value::Loss, Some(8)).before(), verdict(Value::Win, Some(9)));
        assert_eq!(verdict(Value::Win, Some(255)).before(), verdict(Value::Loss, None));
    }
}
