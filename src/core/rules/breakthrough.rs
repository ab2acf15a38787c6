//! Breakthrough draughts: the first side to get a king wins.
//!
//! Rules as on lidraughts (lidraughts.org/variant/breakthrough); otherwise international draughts. No
//! draw is possible.

use super::{DrawRules, Goal, International, PdnSquares, Precedence, Rules, Variant, VariantSetup};
use crate::board::{Board10, Side};

/// Breakthrough draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Breakthrough;

impl Rules for Breakthrough {
    type Geometry = Board10;
    const VARIANT: Variant = Variant::Breakthrough;
    const MEN_CAPTURE_BACKWARD: bool = International::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = International::FLYING_KINGS;
    const PRECEDENCE: Precedence = International::PRECEDENCE;
    const GOAL: Goal = Goal::King;
}

/// Start position, draw rules and notation.
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..4,
    first: Side::White,
    draws: DrawRules::NONE,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(96),
};
