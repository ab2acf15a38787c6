//! Killer draughts: a king whose last captured piece is a king must stop directly behind it.
//!
//! Christian Freeling's rules (mindsports.nl, "Killer draughts"); otherwise international draughts.
//! They are silent on draws. Two kings catch one, so the move limits of article 6.3 and 6.4 make no
//! sense; only repetition draws, as in Hub and Scan.

use super::{DrawRules, International, PdnSquares, Precedence, Rules, Variant, VariantSetup};
use crate::board::{Board10, Side};

/// Killer draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Killer;

impl Rules for Killer {
    type Geometry = Board10;
    const VARIANT: Variant = Variant::Killer;
    const MEN_CAPTURE_BACKWARD: bool = International::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = International::FLYING_KINGS;
    const PRECEDENCE: Precedence = International::PRECEDENCE;
    const HALT_BEHIND_KING: bool = true;
}

/// Start position, draw rules and notation.
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..4,
    first: Side::White,
    draws: DrawRules::REPETITION,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: None,
};
