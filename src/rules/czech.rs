//! Czech draughts on 8x8: a king must capture before a man.
//!
//! Česká federace dámy, *Pravidla české dámy* (damweb.cz); the numbers below are its articles.

use super::{DrawRules, PdnSquares, Precedence, Rules, Variant};
use crate::board::Board8;

/// Czech draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Czech;

impl Rules for Czech {
    type Geometry = Board8; // 2.1, 2.4

    const VARIANT: Variant = Variant::Czech;
    const START_ROWS: usize = 3;
    const MEN_CAPTURE_BACKWARD: bool = false; // 4.1
    const FLYING_KINGS: bool = true; // 3.9
    const PRECEDENCE: Precedence = Precedence::King; // 4.14
    const DRAWS: DrawRules = DrawRules::REPETITION;
    const PDN_SQUARES: PdnSquares = PdnSquares::Algebraic; // 2.6
    const PDN_GAME_TYPE: Option<u8> = Some(29);
}
