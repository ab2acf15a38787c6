//! German draughts on 8x8: men capture forward only, kings fly, captures are free to choose.
//!
//! No federation publishes rules today; these are the ones of *Dame* as the encyclopaedias give
//! them. Only repetition draws.

use super::{DrawRules, Precedence, Rules, Variant};
use crate::board::Board8;

/// German draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct German;

impl Rules for German {
    type Geometry = Board8;

    const VARIANT: Variant = Variant::German;
    const START_ROWS: usize = 3;
    const MEN_CAPTURE_BACKWARD: bool = false;
    const FLYING_KINGS: bool = true;
    const PRECEDENCE: Precedence = Precedence::Free;
    const DRAWS: DrawRules = DrawRules::REPETITION;
    const PDN_GAME_TYPE: Option<u8> = None;
}
