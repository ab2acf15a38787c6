//! English draughts, or American checkers, on 8x8.
//!
//! World Checkers/Draughts Federation, *Rules of draughts*, which the American Checker Federation has
//! adopted (usacheckers.com, docslib.org/doc/1233951); the numbers below are its articles. At the
//! board a player claims the draws of 1.32.1 (third occurrence) and 1.32.2 (forty moves of each side
//! without a capture or a man move; 1.27 in the revised edition). Here they are automatic.

use super::{DrawRules, PdnSquares, Precedence, Rules, Variant, VariantSetup};
use crate::board::{Board8, Side};

/// English draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct English;

impl Rules for English {
    type Geometry = Board8; // 1.1, 1.4
    const VARIANT: Variant = Variant::English;
    const MEN_CAPTURE_BACKWARD: bool = false; // 1.18
    const FLYING_KINGS: bool = false; // 1.17
    const PRECEDENCE: Precedence = Precedence::Free; // 1.20
}

/// Start position, draw rules and notation.
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..3, // 1.11
    first: Side::Black,
    draws: DrawRules { repetition: 3, king_moves: 80, endings: &[] }, // 1.32.1, 1.32.2
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(21),
};
