//! Verdicts: all that can be known about a position.

use std::cmp::{Ordering, Reverse};
use std::fmt;

use super::value::Value;

/// The value of a position and its distance with best play. Better verdicts are greater: wins, the
/// sooner the better, then draws, then losses, the later the better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The value.
    pub value: Value,
    /// The distance in plies; `None` for a draw, or if it is unknown.
    pub plies: Option<u8>,
}

impl Verdict {
    /// The verdict for the opponent one ply earlier, before the move that leads here.
    pub fn before(self) -> Verdict {
        Verdict { value: -self.value, plies: self.plies.and_then(|plies| plies.checked_add(1)) }
    }

    /// The sort key. An unknown distance could be any number and ranks as the best of its value, so
    /// that the distance of the best of some verdicts is known only if all distances are.
    fn rank(self) -> (Value, u32) {
        let plies = self.plies.map(u32::from);
        match self.value {
            Value::Win => (self.value, u32::MAX - plies.map_or(0, |plies| plies + 1)),
            Value::Draw => (self.value, 0),
            Value::Loss => (self.value, plies.unwrap_or(u32::MAX)),
        }
    }
}

/// `win in 3`, `draw`; `loss` if the distance is unknown.
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

/// The indices of verdicts, the best first; equal ones keep their order. It sorts indices and not
/// moves, so that sorting is compiled once and not for every game.
pub(super) fn best_first(verdicts: &[Verdict]) -> Vec<usize> {
    let mut order: Vec<_> = (0..verdicts.len()).collect();
    order.sort_by_key(|&index| Reverse(verdicts[index]));
    order
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
