//! Spanish draughts on 8x8, a dark square at each player's right.
//!
//! Federação Portuguesa de Damas, *Regras de damas clássicas*; the numbers below are its articles.

use super::{DrawRules, PdnSquares, Precedence, Rules, Variant};
use crate::board::Board8Mirrored;

/// Spanish draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Spanish;

impl Rules for Spanish {
    type Geometry = Board8Mirrored; // 2.1.2, 2.1.5

    const VARIANT: Variant = Variant::Spanish;
    const START_ROWS: usize = 3;
    const MEN_CAPTURE_BACKWARD: bool = false;
    const FLYING_KINGS: bool = true;
    const PRECEDENCE: Precedence = Precedence::PiecesKings;
    const DRAWS: DrawRules = DrawRules::REPETITION;
    const PDN_SQUARES: PdnSquares = PdnSquares::NumbersFromBelow;
    const PDN_GAME_TYPE: Option<u8> = Some(24);
}
