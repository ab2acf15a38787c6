//! Breakthrough draughts: the first side to get a king wins.
//!
//! lidraughts' rules of the variant; otherwise international draughts. No draw is possible.

use super::{DrawRules, Goal, International, Precedence, Rules, Variant};
use crate::board::Board10;

/// Breakthrough draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Breakthrough;

impl Rules for Breakthrough {
    type Geometry = Board10;

    const VARIANT: Variant = Variant::Breakthrough;
    const START_ROWS: usize = International::START_ROWS;
    const MEN_CAPTURE_BACKWARD: bool = International::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = International::FLYING_KINGS;
    const PRECEDENCE: Precedence = International::PRECEDENCE;
    const GOAL: Goal = Goal::King;
    const DRAWS: DrawRules = DrawRules::NONE;
    const PDN_GAME_TYPE: Option<u8> = Some(96);
}
