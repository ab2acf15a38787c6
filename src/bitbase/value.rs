//! What a position is worth.

use std::fmt;
use std::ops::Neg;

use crate::rules::{Goal, Rules};

/// The end of a game with best play, for the side to move: worse values are less.
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
    /// Every value, the worst first.
    pub const ALL: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

    /// The value of the two lowest bits; there is none for 3, which is taken for a win.
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

/// The value for a side that cannot move.
pub(super) fn without_move<R: Rules>() -> Value {
    match R::GOAL {
        Goal::Lose => Value::Win,
        Goal::Block | Goal::King => Value::Loss,
    }
}
