//! Canadian draughts: the international rules on 12x12.
//!
//! Association québécoise des joueurs de dames, *Règlements*; draws by repetition, and after 25
//! moves each of kings only.

use super::{DrawRules, International, Precedence, Rules, Variant};
use crate::board::Board12;

/// Canadian draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Canadian;

impl Rules for Canadian {
    type Geometry = Board12;

    const VARIANT: Variant = Variant::Canadian;
    const START_ROWS: usize = 5;
    const MEN_CAPTURE_BACKWARD: bool = International::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = International::FLYING_KINGS;
    const PRECEDENCE: Precedence = International::PRECEDENCE;
    const DRAWS: DrawRules = DrawRules { repetition: 3, king_moves: 50, endings: &[] };
    const PDN_GAME_TYPE: Option<u8> = Some(27);
}
