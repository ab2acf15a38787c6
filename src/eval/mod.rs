//! The evaluation: what a quiet position is worth without looking ahead.
//!
//! Material and placement, for every game. It is fair: a position after a half turn of the board
//! with the colours swapped has the same value for the side to move.

mod endings;
mod placement;
mod weights;

use crate::board::{Side, Square};
use crate::position::Position;
use crate::rules::Rules;
use crate::score::Score;

use placement::{Both, Placement, turned};
use weights::Weights;

/// The value of a position for the side to move, a game that is not over.
#[inline]
pub fn evaluate<R: Rules>(position: &Position<R>) -> Score {
    let side = position.side();
    let lead = worth(position, side) - worth(position, side.opponent());
    Score::evaluation(endings::scaled(position, lead))
}

/// What the pieces of a side are worth where they stand.
#[inline(always)]
fn worth<R: Rules>(position: &Position<R>, side: Side) -> i32 {
    let index = |square: Square| match side {
        Side::White => square.index(),
        Side::Black => turned::<R>(square).index(),
    };
    let men = position.men(side).squares();
    let men = men.fold(Both::ZERO, |sum, square| sum.plus(Placement::<R>::MAN[index(square)]));
    let (mut value, lean) = (men.upper(), men.lower());
    for square in position.kings(side).squares() {
        value += i32::from(Placement::<R>::KING[index(square)]);
    }
    value - lean.abs() * const { Weights::of::<R>().lean } / 8
}

#[cfg(test)]
mod tests;
