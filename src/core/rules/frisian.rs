//! Frisian draughts on 10x10: pieces also capture along rows and columns.
//!
//! Frisian federation (friesdammen.nl), *Spelregels*. The capture of greatest value is mandatory,
//! where a king is worth slightly less than two men; at equal value, a king must capture before a
//! man. A side that has a man may move the same king at most three times in a row without
//! capturing.

use super::{Customs, Directions, DrawRules, Ending, PdnSquares, Precedence, Rules, Variant};
use crate::board::{Board10, Side};

/// Frisian draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Frisian;

impl Rules for Frisian {
    type Geometry = Board10;
    const VARIANT: Variant = Variant::Frisian;
    const DIRECTIONS: Directions = Directions::AllForCaptures;
    const MEN_CAPTURE_BACKWARD: bool = true;
    const FLYING_KINGS: bool = true;
    const PRECEDENCE: Precedence = Precedence::Value;
    const KING_MOVES_IN_A_ROW: u8 = 3;
}

/// Start position, draw rules and notation.
pub(super) static CUSTOMS: Customs = Customs {
    start_rows: 0..4,
    first: Side::White,
    draws: DRAWS,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(40),
};

/// Two kings against one have seven moves each, one against one two moves each: lidraughts' reading
/// of "drawn unless a king can be taken". There is no repetition rule.
pub(super) const DRAWS: DrawRules = DrawRules {
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
