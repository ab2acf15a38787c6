//! American pool checkers on 8x8: Russian captures without promotion in passing.
//!
//! American Pool Checkers Association, *Tournament rules of play* (americanpoolcheckers.us); the
//! numbers below are its articles. The association lets Black begin (7); here White does.

use super::{DrawRules, Ending, PdnSquares, Precedence, Rules, Variant, VariantSetup};
use crate::board::{Board8, Side};

/// American pool checkers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pool;

impl Rules for Pool {
    type Geometry = Board8; // 1, 2
    const VARIANT: Variant = Variant::Pool;
    const MEN_CAPTURE_BACKWARD: bool = true; // 14
    const FLYING_KINGS: bool = true; // 15
    const PRECEDENCE: Precedence = Precedence::Free; // 20
}

/// Start position, draw rules and notation.
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..3, // 5
    first: Side::White,
    draws: DRAWS,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(23),
};

/// Article 26, in plies: three kings have thirteen moves to win against one.
const DRAWS: DrawRules = DrawRules {
    repetition: 3,
    king_moves: 30,
    endings: &[Ending {
        article: "26",
        plies: 26,
        restarts: true,
        applies: |material| material.is_lone_king_against(3, 3, 3),
    }],
};
