//! Losing draughts, or antidraughts: the side that cannot move wins.
//!
//! Rules as on lidraughts (lidraughts.org/variant/antidraughts); otherwise international draughts.
//! Only repetition draws; no federation has other rules.

use super::{DrawRules, Goal, International, PdnSquares, Precedence, Rules, Variant, VariantSetup};
use crate::board::{Board10, Side};

/// Losing draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Losing;

impl Rules for Losing {
    type Geometry = Board10;
    const VARIANT: Variant = Variant::Losing;
    const MEN_CAPTURE_BACKWARD: bool = International::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = International::FLYING_KINGS;
    const PRECEDENCE: Precedence = International::PRECEDENCE;
    const GOAL: Goal = Goal::Lose;
}

/// Start position, draw rules and notation.
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..4,
    first: Side::White,
    draws: DrawRules::REPETITION,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(98),
};
