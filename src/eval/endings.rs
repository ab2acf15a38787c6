//! Endings that are worth less than their pieces.

use crate::board::Side;
use crate::position::Position;
use crate::rules::{Goal, Rules};

/// What the lead of a side is to be divided by: more than 1 where it can hardly be turned into a win.
///
/// On a board with flying kings one king holds out against few pieces: three kings win only against
/// a king that does not hold the main road, and international draughts needs four.
#[inline(always)]
pub fn divisor<R: Rules>(position: &Position<R>, ahead: Side) -> i32 {
    /// The most pieces that may not beat a king.
    const HELD: usize = 3;
    /// What a lead that a king holds is divided by.
    const MOST: i32 = 8;

    let is_hard = R::GOAL == Goal::Block && R::FLYING_KINGS && !R::ORTHOGONAL_CAPTURES;
    if !is_hard || position.all_kings().is_empty() {
        return 1;
    }
    let has_king = position.kings(ahead.opponent()).is_some();
    if has_king && position.pieces(ahead).len() <= HELD { MOST } else { 1 }
}
