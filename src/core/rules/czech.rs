//! Czech draughts on 8x8: a king must capture before a man.
//!
//! Česká federace dámy, *Pravidla české dámy* (damweb.cz); the numbers below are its articles. Draws:
//! FMJD, *Brief rules of Czech draughts* (fmjd.org/variant.php?p=czech), where the third occurrence of
//! a position draws, and so do fifteen moves without a capture or a man move.

use super::{DrawRules, PdnSquares, Precedence, Rules, Variant, VariantSetup};
use crate::board::{Board8, Side};

/// Czech draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Czech;

impl Rules for Czech {
    type Geometry = Board8; // 2.1, 2.4
    const VARIANT: Variant = Variant::Czech;
    const MEN_CAPTURE_BACKWARD: bool = false; // 4.1
    const FLYING_KINGS: bool = true; // 3.9
    const PRECEDENCE: Precedence = Precedence::King; // 4.14
}

/// Start position, draw rules and notation.
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    draws: DrawRules { repetition: 3, king_moves: 30, endings: &[] },
    pdn_squares: PdnSquares::Algebraic, // 2.6
    pdn_game_type: Some(29),
};
