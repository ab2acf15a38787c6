//! Frisian draughts on 10x10, and Frysk!

use super::{Directions, DrawRules, Ending, PdnSquares, Precedence, Rules, VariantSetup};
use crate::board::{Board10, Side};

/// Frisian draughts on 10x10: pieces also capture along rows and columns.
///
/// *Official rules for Frisian draughts* 2011 (friesdammen.nl; the lidraughts sources include a
/// copy); the numbers below refer to its articles. The capture of greatest value is mandatory; a king is
/// worth slightly less than two men (11). At equal value, a king must capture before a man (12). A
/// side that has a man may move the same king at most three times in a row without capturing (17).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frisian;

impl Rules for Frisian {
    type Geometry = Board10;
    const DIRECTIONS: Directions = Directions::AllForCaptures; // 7, 9
    const MEN_CAPTURE_BACKWARD: bool = true; // 7
    const FLYING_KINGS: bool = true; // 9
    const KING_MOVES_IN_A_ROW: u8 = 3; // 17

    #[inline(always)]
    fn precedence(self) -> Precedence {
        Precedence::Value // 11, 12
    }
}

pub(super) static FRISIAN: VariantSetup = VariantSetup {
    start_rows: 0..4,   // 4
    first: Side::White, // 6
    draws: FRISIAN_DRAWS,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(40),
};

/// Two kings have seven moves to win against one king. One king against one is drawn at once unless
/// a king can be captured now or must be lost on the next move; here each side has two moves, as on
/// lidraughts. There is no repetition rule.
const FRISIAN_DRAWS: DrawRules = DrawRules {
    repetition: 0,
    king_moves: 0,
    endings: &[
        Ending {
            article: "18",
            plies: 14,
            restarts: true,
            applies: |material| material.is_lone_king_against(2, 2, 2),
        },
        Ending {
            article: "21.1",
            plies: 4,
            restarts: true,
            applies: |material| material.is_lone_king_against(1, 1, 1),
        },
    ],
};

/// Frysk!: Frisian draughts with five men per side, on the back row.
///
/// Rules as on lidraughts (lidraughts.org/variant/frysk); no federation publishes rules for it.
/// Moves and captures are those of [`Frisian`], so the two share a type.
pub(super) static FRYSK: VariantSetup = VariantSetup {
    start_rows: 0..1,
    first: Side::White,
    draws: FRISIAN_DRAWS,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(97),
};
