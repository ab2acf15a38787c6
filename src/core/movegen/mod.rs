//! Move generation: listing, detecting and counting legal moves.

mod attack;
mod captures;
mod count;
pub mod outlined;
mod perft;
mod quiets;
mod short;
mod turn;

pub use captures::{captures, has_capture, is_threatened};
pub use count::count;
pub use perft::{divide, perft, perft_parallel};
pub use quiets::{count_quiet, has_quiet, quiets};

use crate::board::MoveList;
use crate::position::BitPosition;
use crate::rules::{Goal, Rules};

/// All legal moves: captures if there are any, otherwise quiet moves; none if the game is over. Not
/// for hot loops: it is compiled once per game and never inlined.
#[inline(never)]
pub fn legal_moves<R: Rules>(position: &BitPosition<R>) -> MoveList<R::Geometry> {
    let mut list = MoveList::new();
    legal_moves_into(position, &mut list);
    list
}

/// Adds all legal moves to an empty list.
#[inline]
pub fn legal_moves_into<R: Rules>(position: &BitPosition<R>, list: &mut MoveList<R::Geometry>) {
    debug_assert!(list.is_empty());
    captures(position, list);
    if list.is_empty() {
        quiets(position, list);
    }
}

/// Whether the side to move has a legal move.
pub fn has_move<R: Rules>(position: &BitPosition<R>) -> bool {
    has_capture(position) || has_quiet(position)
}

/// Whether the game is over even if there are pieces to move: the opponent has a king in a game won
/// by the first king.
#[inline(always)]
fn is_decided<R: Rules>(position: &BitPosition<R>) -> bool {
    R::GOAL == Goal::King && position.kings(position.side().opponent()).is_some()
}
