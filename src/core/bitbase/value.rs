//! The values of positions.

use std::fmt;
use std::ops::Neg;

use crate::rules::{Goal, Rules};

/// The result of a game with best play, for the side to move. Worse values are less.
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

    /// The value in the two lowest bits; 3 is not a value and is read as a win.
    #[inline(always)]
    pub(super) fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Value::Loss,
            1 => Value::Draw,
            _ => Value::Win,
        }
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
pub(super) fn without_move<R: Rules>() -> Value {
    match R::GOAL {
        Goal::Lose => Value::Win,
        Goal::Block | Goal::King => Value::Loss,
    }
}
