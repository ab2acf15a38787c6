//! Legal moves: listing them, asking whether there are any, counting them.

mod attack;
mod captures;
mod count;
mod perft;
mod quiets;
mod short;
mod turn;

pub use captures::{captures, has_capture, is_threatened};
pub use count::count;
pub use perft::{divide, perft, perft_parallel};
pub use quiets::{count_quiet, has_quiet, quiets};

use crate::board::MoveList;
use crate::position::Position;
use crate::rules::{Goal, Rules};

/// All legal moves: captures if there are any, else quiet moves; none if the game is over.
#[inline]
pub fn legal_moves<R: Rules>(position: &Position<R>) -> MoveList<R::Geometry> {
    let mut list = MoveList::new();
    legal_moves_into(position, &mut list);
    list
}

/// Adds all legal moves to an empty list.
#[inline]
pub fn legal_moves_into<R: Rules>(position: &Position<R>, list: &mut MoveList<R::Geometry>) {
    debug_assert!(list.is_empty());
    captures(position, list);
    if list.is_empty() {
        quiets(position, list);
    }
}

/// Whether the side to move has a legal move.
pub fn has_move<R: Rules>(position: &Position<R>) -> bool {
    has_capture(position) || has_quiet(position)
}

/// Whether the game is over although there may be pieces to move: the opponent has got the king
/// that wins.
#[inline(always)]
fn is_decided<R: Rules>(position: &Position<R>) -> bool {
    R::GOAL == Goal::King && position.kings(position.side().opponent()).is_some()
}
