//! Brazilian draughts: the international rules on 8x8.
//!
//! FMJD-64, *Official rules of Brazilian draughts*; draws as in Russian draughts, chapter 7.

use super::{Customs, International, PdnSquares, Precedence, Rules, Variant};
use crate::board::{Board8, Side};

/// Brazilian draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Brazilian;

impl Rules for Brazilian {
    type Geometry = Board8;
    const VARIANT: Variant = Variant::Brazilian;
    const MEN_CAPTURE_BACKWARD: bool = International::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = International::FLYING_KINGS;
    const PRECEDENCE: Precedence = International::PRECEDENCE;
}

/// Start position, draw rules and notation.
pub(super) static CUSTOMS: Customs = Customs {
    start_rows: 0..3,
    first: Side::White,
    draws: super::russian::DRAWS,
    pdn_squares: PdnSquares::Algebraic,
    pdn_game_type: Some(26),
};
