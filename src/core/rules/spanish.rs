//! Spanish draughts on 8x8, a dark square at each player's right.
//!
//! Federação Portuguesa de Damas, *Regras de damas clássicas*; the numbers below are its articles.
//! Draws: its *Rules of Portuguese draughts (Spanish draughts)* of 2026, articles 3.8 and 5.3, known
//! only from quotations; section64port.online has the same numbers.

use super::{DrawRules, Ending, PdnSquares, Precedence, Rules, Variant, VariantSetup};
use crate::board::{Board8Mirrored, Side};

/// Spanish draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Spanish;

impl Rules for Spanish {
    type Geometry = Board8Mirrored; // 2.1.2, 2.1.5
    const VARIANT: Variant = Variant::Spanish;
    const MEN_CAPTURE_BACKWARD: bool = false;
    const FLYING_KINGS: bool = true;
    const PRECEDENCE: Precedence = Precedence::PiecesKings;
}

/// Start position, draw rules and notation.
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    draws: DRAWS,
    pdn_squares: PdnSquares::NumbersFromBelow,
    pdn_game_type: Some(24),
};

/// In plies. Article 3.8.b counts its twenty moves only with four pieces a side or fewer and a king
/// on both, and not while three kings face one; here they always count, as section64port.online has
/// it. Whether a count of 3.8.a ends when the main road is left again is open; here it goes on.
const DRAWS: DrawRules = DrawRules {
    repetition: 3,  // 5.3
    king_moves: 40, // 3.8.b
    endings: &[Ending {
        article: "3.8.a",
        plies: 24,
        restarts: false,
        applies: |material| {
            material.is_lone_king_against(3, 3, 3)
                && material
                    .lone_king()
                    .is_some_and(|side| material.main_road[side.opponent().index()])
        },
    }],
};
