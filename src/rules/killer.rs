//! Killer draughts: a king that captures a king last must stop directly behind it.
//!
//! Christian Freeling's rules at mindsports.nl; otherwise international draughts. Kings are caught
//! more easily, so endings with few pieces have no move limit and only repetition draws.

use super::{DrawRules, International, Precedence, Rules, Variant};
use crate::board::Board10;

/// Killer draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Killer;

impl Rules for Killer {
    type Geometry = Board10;

    const VARIANT: Variant = Variant::Killer;
    const START_ROWS: usize = International::START_ROWS;
    const MEN_CAPTURE_BACKWARD: bool = International::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = International::FLYING_KINGS;
    const PRECEDENCE: Precedence = International::PRECEDENCE;
    const HALT_BEHIND_KING: bool = true;
    const DRAWS: DrawRules = DrawRules::REPETITION;
    const PDN_GAME_TYPE: Option<u8> = None;
}
