//! Frysk!: Frisian draughts with five men each, on the base rows.
//!
//! lidraughts' rules of the variant.

use super::{DrawRules, Frisian, Precedence, Rules, Variant};
use crate::board::Board10;

/// Frysk!
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Frysk;

impl Rules for Frysk {
    type Geometry = Board10;

    const VARIANT: Variant = Variant::Frysk;
    const START_ROWS: usize = 1;
    const MEN_CAPTURE_BACKWARD: bool = Frisian::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = Frisian::FLYING_KINGS;
    const ORTHOGONAL_CAPTURES: bool = Frisian::ORTHOGONAL_CAPTURES;
    const PRECEDENCE: Precedence = Frisian::PRECEDENCE;
    const KING_MOVES_IN_A_ROW: u8 = Frisian::KING_MOVES_IN_A_ROW;
    const DRAWS: DrawRules = Frisian::DRAWS;
    const PDN_GAME_TYPE: Option<u8> = Some(97);
}
