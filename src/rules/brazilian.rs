//! Brazilian draughts: the international rules on 8x8.
//!
//! FMJD-64, *Official rules of Brazilian draughts*; draws as in Russian draughts, chapter 7.

use super::{DrawRules, International, PdnSquares, Precedence, Rules, Russian, Variant};
use crate::board::Board8;

/// Brazilian draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Brazilian;

impl Rules for Brazilian {
    type Geometry = Board8;

    const VARIANT: Variant = Variant::Brazilian;
    const START_ROWS: usize = 3;
    const MEN_CAPTURE_BACKWARD: bool = International::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = International::FLYING_KINGS;
    const PRECEDENCE: Precedence = International::PRECEDENCE;
    const DRAWS: DrawRules = Russian::DRAWS;
    const PDN_SQUARES: PdnSquares = PdnSquares::Algebraic;
    const PDN_GAME_TYPE: Option<u8> = Some(26);
}
