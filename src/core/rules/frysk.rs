//! Frysk!: Frisian draughts with five men per side, on the base rows.
//!
//! Rules as on lidraughts (lidraughts.org/variant/frysk); no federation has others. Moves and captures
//! are those of [`Frisian`](super::Frisian), so the two share a type.

use super::{PdnSquares, VariantSetup};
use crate::board::Side;

/// Start position, draw rules and notation.
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..1,
    first: Side::White,
    draws: super::frisian::DRAWS,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(97),
};
