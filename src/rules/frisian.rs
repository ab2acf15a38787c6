//! Frisian draughts on 10x10: pieces also capture along rows and columns.
//!
//! Frisian federation (friesdammen.nl), *Spelregels*. A capture must be of the greatest value, where
//! a king is worth a little less than two men; at equal value a king goes first. A side that has a
//! man may move the same king at most three times in a row without capturing.

use super::{DrawRules, Ending, Precedence, Rules, Variant};
use crate::board::Board10;

/// Frisian draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Frisian;

impl Rules for Frisian {
    type Geometry = Board10;

    const VARIANT: Variant = Variant::Frisian;
    const START_ROWS: usize = 4;
    const MEN_CAPTURE_BACKWARD: bool = true;
    const FLYING_KINGS: bool = true;
    const ORTHOGONAL_CAPTURES: bool = true;
    const PRECEDENCE: Precedence = Precedence::Value;
    const KING_MOVES_IN_A_ROW: u8 = 3;
    const DRAWS: DrawRules = DRAWS;
    const PDN_GAME_TYPE: Option<u8> = Some(40);
}

/// Two kings against one may take seven moves each, one against one two moves each: lidraughts'
/// reading of "drawn unless a king can be taken". There is no rule of repetition.
const DRAWS: DrawRules = DrawRules {
    repetition: 0,
    king_moves: 0,
    endings: &[
        Ending {
            article: "2 kings v 1",
            plies: 14,
            restarts: true,
            applies: |material| material.is_lone_king_against(2, 2, 2),
        },
        Ending {
            article: "1 king v 1",
            plies: 4,
            restarts: true,
            applies: |material| material.is_lone_king_against(1, 1, 1),
        },
    ],
};
