//! International draughts on 10x10.
//!
//! FMJD, *Official rules of international draughts*, Annex 1, November 2015 (a copy is with the
//! sources of lidraughts). The numbers below are its articles.

use super::{DrawRules, Ending, PdnSquares, Precedence, Rules, Variant, VariantSetup};
use crate::board::{Board10, Side};

/// International draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct International;

impl Rules for International {
    type Geometry = Board10; // 2.1, 2.4
    const VARIANT: Variant = Variant::International;
    const MEN_CAPTURE_BACKWARD: bool = true; // 4.1
    const FLYING_KINGS: bool = true; // 3.9
    const PRECEDENCE: Precedence = Precedence::Pieces; // 4.13, 4.14
}

/// Start position, draw rules and notation.
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..4, // 2.8
    first: Side::White,
    draws: DRAWS,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(20),
};

/// Article 6 of Annex 1, in plies. The counts of 6.3 and 6.4 continue through man moves and
/// captures.
pub(super) const DRAWS: DrawRules = DrawRules {
    repetition: 3,  // 6.1
    king_moves: 50, // 6.2
    endings: &[
        Ending {
            article: "6.3",
            plies: 32,
            restarts: false,
            applies: |material| material.is_lone_king_against(3, 3, 1),
        },
        Ending {
            article: "6.4",
            plies: 10,
            restarts: false,
            applies: |material| material.is_lone_king_against(1, 2, 1),
        },
    ],
};
