//! Turkish draughts on all squares of an 8x8 board: pieces move and capture along rows and columns.
//!
//! Türkiye Dama Federasyonu, *Turkish draughts: rules of game and learning guide*, and "Turkish
//! draughts" on Wikipedia. Men move one step forward or sideways. A captured piece is removed at
//! once, which may open lines for the rest of the capture; a man that reaches its promotion row
//! during a capture continues as a man. Perft counts agree with pydraughts to depth 4 and with kish
//! (PyPI) to depth 6; at depth 7 they agree except for routes that kish counts twice.

use super::{Directions, DrawRules, Ending, PdnSquares, Precedence, Rules, VariantSetup};
use crate::board::{Board8Full, Side};

/// Turkish draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turkish;

impl Rules for Turkish {
    type Geometry = Board8Full;
    const DIRECTIONS: Directions = Directions::Orthogonal;
    const MEN_CAPTURE_BACKWARD: bool = false;
    const FLYING_KINGS: bool = true;
    const CAPTURED_AT_ONCE: bool = true;

    #[inline(always)]
    fn precedence(self) -> Precedence {
        Precedence::Pieces
    }
}

pub(super) static TURKISH: VariantSetup = VariantSetup {
    start_rows: 1..3,
    first: Side::White,
    draws: TURKISH_DRAWS,
    pdn_squares: PdnSquares::Algebraic,
    pdn_game_type: Some(30),
};

/// One piece against one is a draw unless a capture can be forced; as in pydraughts, each side has
/// two moves to force it. No other move limit is known.
const TURKISH_DRAWS: DrawRules = DrawRules {
    repetition: 3,
    king_moves: 0,
    endings: &[Ending {
        article: "1 piece v 1",
        plies: 4,
        restarts: false,
        applies: |material| Side::ALL.iter().all(|&side| material.pieces(side) == 1),
    }],
};
