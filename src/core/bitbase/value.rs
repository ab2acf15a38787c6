//! Values of positions, and verdicts: values with distances.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

use crate::rules::{Goal, Rules};

/// The result of a game with best play, for the side to move. Values are ordered from worst to
/// best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Value {
    /// The opponent wins.
    Loss = 0,
    /// Neither side can win.
    Draw = 1,
    /// The side to move wins.
    Win = 2,
}

impl Value {
    /// All values, worst first.
    pub const ALL: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

    /// Reads a value from the two lowest bits; 3, which is not a value, is read as a win.
    #[inline(always)]
    pub(super) fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Value::Loss,
            1 => Value::Draw,
            _ => Value::Win,
        }
    }
}

/// Stands for no distance: the position is a draw, or its distance is unknown.
pub(super) const NO_DISTANCE: u8 = u8::MAX;

impl Value {
    /// The value of a position, from the parity of its distance: the sides alternate until one of
    /// them has no move, and that last position has the value `without_move`.
    #[inline(always)]
    pub(super) fn of_distance(plies: u8, without_move: Value) -> Self {
        match plies {
            NO_DISTANCE => Value::Draw,
            plies if plies.is_multiple_of(2) => without_move,
            _ => -without_move,
        }
    }

    /// The distance of a won or lost position with this value, restored from half the distance
    /// rounded down.
    pub(super) fn plies_of(self, half: u8, without_move: Value) -> u8 {
        half.saturating_mul(2).saturating_add(u8::from(self != without_move))
    }
}

/// The value for the opponent.
impl Neg for Value {
    type Output = Value;

    #[inline(always)]
    fn neg(self) -> Value {
        Value::from_bits(2 - self as u8)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        })
    }
}

/// The value for a side without a move.
pub(super) fn without_move<R: Rules>(rules: R) -> Value {
    match rules.goal() {
        Goal::Lose => Value::Win,
        Goal::Block | Goal::King => Value::Loss,
    }
}

/// The value of a position and its distance with best play. Better verdicts are greater: any win is
/// greater than a draw, and a draw is greater than any loss; among wins the soonest is greatest,
/// among losses the latest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The value.
    pub value: Value,
    /// The distance in plies; `None` for a draw, or if it is unknown.
    pub plies: Option<u8>,
}

impl Verdict {
    /// The opponent's verdict one ply earlier, on the move that leads to this position.
    pub fn before(self) -> Verdict {
        Verdict { value: -self.value, plies: self.plies.and_then(|plies| plies.checked_add(1)) }
    }

    /// The sort key. An unknown distance could be any number, so it ranks as the best for its
    /// value: the best of several verdicts has a known distance only if that of every verdict with
    /// the same value is known.
    fn rank(self) -> (Value, u32) {
        let plies = self.plies.map(u32::from);
        match self.value {
            Value::Win => (self.value, u32::MAX - plies.map_or(0, |plies| plies + 1)),
            Value::Draw => (self.value, 0),
            Value::Loss => (self.value, plies.unwrap_or(u32::MAX)),
        }
    }
}

/// Formats a verdict: `win in 3 plies`, `draw`, or just `loss` if the distance is unknown.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies {
            Some(1) => write!(f, "{} in 1 ply", self.value),
            Some(plies) => write!(f, "{} in {plies} plies", self.value),
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

/// The indices of verdicts, best first; equal verdicts keep their order. Sorting indices instead of
/// moves, whose type depends on the board, lets this function be compiled only once.
pub(super) fn best_first(verdicts: &[Verdict]) -> Vec<usize> {
    let mut order = Vec::with_capacity(verdicts.len());
    for index in 0..verdicts.len() {
        let place = order.partition_point(|&other: &usize| verdicts[other] >= verdicts[index]);
        order.insert(place, index);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_verdicts_are_greater() {
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
