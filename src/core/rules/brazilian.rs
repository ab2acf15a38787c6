//! Brazilian draughts: the international rules on 8x8.
//!
//! FMJD-64, *Official rules* (fmjd64.org/rules-of-the-game); the numbers below are its articles.
//!
//! The Brazilian confederation's own *Regras oficiais do jogo de damas* differ: twenty moves by each
//! side with kings only (article 97b) instead of fifteen, and five moves also for two kings against
//! two, and for one or two kings against a king and a man (99). The rules of FMJD-64 are those of
//! title tournaments and of lidraughts.

use super::russian::{FEWER_PIECES, MORE_PIECES, THREE_KINGS, TWO_PIECES};
use super::{
    DrawRules, Ending, International, PdnSquares, Precedence, Rules, Variant, VariantSetup,
};
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
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    draws: DRAWS,
    pdn_squares: PdnSquares::Algebraic,
    pdn_game_type: Some(26),
};

/// Articles 7.2.3 to 7.2.8, in plies. In 7.2.7 one of the three pieces must be a king, as in article
/// 100 of the Brazilian confederation.
const DRAWS: DrawRules = DrawRules {
    repetition: 3,  // 7.2.3
    king_moves: 30, // 7.2.5
    endings: &[
        THREE_KINGS,
        FEWER_PIECES,
        MORE_PIECES,
        Ending {
            article: "7.2.7",
            plies: 10,
            restarts: true,
            applies: |material| {
                material.is_lone_king_against(3, 3, 1) && material.is_lone_king_on_main_road()
            },
        },
        TWO_PIECES,
    ],
};
