//! German draughts on 8x8: men capture forward only, kings fly, the choice of capture is free.
//!
//! No federation publishes rules today; these are the rules of *Dame* as given in encyclopaedias.
//! No source was found for what draws; here repetition does, and nothing else.

use super::{DrawRules, PdnSquares, Precedence, Rules, Variant, VariantSetup};
use crate::board::{Board8, Side};

/// German draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct German;

impl Rules for German {
    type Geometry = Board8;
    const VARIANT: Variant = Variant::German;
    const MEN_CAPTURE_BACKWARD: bool = false;
    const FLYING_KINGS: bool = true;
    const PRECEDENCE: Precedence = Precedence::Free;
}

/// Start position, draw rules and notation.
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    draws: DrawRules::REPETITION,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: None,
};
