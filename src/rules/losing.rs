//! Losing draughts, or antidraughts: the side that cannot move wins.
//!
//! lidraughts' rules of the variant; otherwise international draughts. Only repetition draws.

use super::{DrawRules, Goal, International, Precedence, Rules, Variant};
use crate::board::Board10;

/// Losing draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Losing;

impl Rules for Losing {
    type Geometry = Board10;

    const VARIANT: Variant = Variant::Losing;
    const START_ROWS: usize = International::START_ROWS;
    const MEN_CAPTURE_BACKWARD: bool = International::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = International::FLYING_KINGS;
    const PRECEDENCE: Precedence = International::PRECEDENCE;
    const GOAL: Goal = Goal::Lose;
    const DRAWS: DrawRules = DrawRules::REPETITION;
    const PDN_GAME_TYPE: Option<u8> = Some(98);
}
