//! Move generation for callers off the hot path.
//!
//! The same functions as in [`movegen`](super), compiled once per game and called, rather than
//! inlined into every caller.

use crate::board::MoveList;
use crate::position::BitPosition;
use crate::rules::Rules;

/// All captures of the side to move.
#[inline(never)]
pub fn captures<R: Rules>(position: &BitPosition<R>) -> MoveList<R::Geometry> {
    let mut moves = MoveList::new();
    super::captures(position, &mut moves);
    moves
}

/// Whether the side to move can capture.
#[inline(never)]
pub fn has_capture<R: Rules>(position: &BitPosition<R>) -> bool {
    super::has_capture(position)
}

/// Whether the side to move has a quiet move, even if it can capture.
#[inline(never)]
pub fn has_quiet<R: Rules>(position: &BitPosition<R>) -> bool {
    super::has_quiet(position)
}
