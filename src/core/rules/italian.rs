//! Italian draughts on 8x8, a dark square at each player's right.
//!
//! Federazione Italiana Dama, *Regolamento tecnico*, chapter I (fid.it/regolamenti/capo1.htm and
//! fid.it/regolamenti/2008/RegTec_CAPO_I.pdf); the numbers below are its articles. Some accounts of
//! the game let the third occurrence of a position draw, not the fourth.

use super::{DrawRules, PdnSquares, Precedence, Rules, Variant, VariantSetup};
use crate::board::{Board8Mirrored, Side};

/// Italian draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Italian;

impl Rules for Italian {
    type Geometry = Board8Mirrored; // 2.1, 2.3
    const VARIANT: Variant = Variant::Italian;
    const MEN_CAPTURE_BACKWARD: bool = false; // 5.3 a
    const MEN_CAPTURE_KINGS: bool = false; // 5.3 b
    const FLYING_KINGS: bool = false; // 4.7
    const PRECEDENCE: Precedence = Precedence::PiecesKingKingsEarly; // 6.6 to 6.9
}

/// Start position, draw rules and notation.
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    // 9.3 b1, 10.4: forty moves by each side without a capture or a man move.
    draws: DrawRules { repetition: 4, king_moves: 80, endings: &[] },
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(22),
};
