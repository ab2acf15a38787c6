//! Endings in which a material lead is worth less than usual.

use crate::board::Side;
use crate::position::BitPosition;
use crate::rules::{Directions, Goal, Rules};

/// The divisor of a side's lead: above 1 where the lead can hardly be converted.
///
/// Where flying kings keep to diagonals, a single king holds out against few pieces: three kings
/// win only against a king off the main road, and international draughts needs four.
#[inline(always)]
pub fn divisor<R: Rules>(position: &BitPosition<R>, ahead: Side) -> i32 {
    /// The most pieces of the side ahead that a king may hold.
    const HELD: usize = 3;
    /// The divisor of a lead that a king holds.
    const MOST: i32 = 8;

    let is_hard =
        R::GOAL == Goal::Block && R::FLYING_KINGS && matches!(R::DIRECTIONS, Directions::Diagonal);
    if !is_hard || position.all_kings().is_empty() {
        return 1;
    }
    let has_king = position.kings(ahead.opponent()).is_some();
    if has_king && position.pieces(ahead).len() <= HELD { MOST } else { 1 }
}
