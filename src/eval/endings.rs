//! Endings that are worth less than their pieces.

use crate::board::Side;
use crate::position::Position;
use crate::rules::{Goal, Rules};

/// The lead of the side to move, reduced where it can hardly be turned into a win.
///
/// On a board with flying kings one king holds out against few pieces: three kings win only against
/// a king that does not hold the main road, and international draughts needs four.
#[inline(always)]
pub(super) fn scaled<R: Rules>(position: &Position<R>, lead: i32) -> i32 {
    /// The most pieces that may not beat a king.
    const HELD: usize = 3;
    /// What is left of a lead that a king holds.
    const SHARE: i32 = 8;

    let is_hard = R::GOAL == Goal::Block && R::FLYING_KINGS && !R::ORTHOGONAL_CAPTURES;
    if !is_hard || position.all_kings().is_empty() {
        return lead;
    }
    let (strong, weak) = if lead > 0 {
        (position.side(), position.side().opponent())
    } else {
        (position.side().opponent(), position.side())
    };
    let is_held = position.kings(weak).is_some() && pieces(position, strong) <= HELD;
    if is_held { lead / SHARE } else { lead }
}

fn pieces<R: Rules>(position: &Position<R>, side: Side) -> usize {
    position.pieces(side).len()
}
