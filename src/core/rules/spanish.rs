//! Spanish draughts on 8x8, a dark square at each player's right.
//!
//! Federação Portuguesa de Damas, *Regras de damas clássicas*; the numbers below are its articles.

use super::{Customs, DrawRules, PdnSquares, Precedence, Rules, Variant};
use crate::board::{Board8Mirrored, Side};

/// Spanish draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Spanish;

impl Rules for Spanish {
    type Geometry = Board8Mirrored; // 2.1.2, 2.1.5
    const VARIANT: Variant = Variant::Spanish;
    const MEN_CAPTURE_BACKWARD: bool = false;
    const FLYING_KINGS: bool = true;
    const PRECEDENCE: Precedence = Precedence::PiecesKings;
}

/// Start position, draw rules and notation.
pub(super) static CUSTOMS: Customs = Customs {
    start_rows: 0..3,
    first: Side::White,
    draws: DrawRules::REPETITION,
    pdn_squares: PdnSquares::NumbersFromBelow,
    pdn_game_type: Some(24),
};
