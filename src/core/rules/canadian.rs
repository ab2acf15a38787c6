//! Canadian draughts: the international rules on 12x12.
//!
//! Association québécoise des joueurs de dames, *Règlements* (dames.quebecjeux.org/reglements): as
//! international draughts but for the size. Draws by repetition, and after 25 consecutive king moves
//! by each side; whether the limits for endings with few kings, which were set for the smaller board,
//! hold too is not said, and here they do not.

use super::{DrawRules, International, PdnSquares, Precedence, Rules, Variant, VariantSetup};
use crate::board::{Board12, Side};

/// Canadian draughts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Canadian;

impl Rules for Canadian {
    type Geometry = Board12;
    const VARIANT: Variant = Variant::Canadian;
    const MEN_CAPTURE_BACKWARD: bool = International::MEN_CAPTURE_BACKWARD;
    const FLYING_KINGS: bool = International::FLYING_KINGS;
    const PRECEDENCE: Precedence = International::PRECEDENCE;
}

/// Start position, draw rules and notation.
pub(super) static SETUP: VariantSetup = VariantSetup {
    start_rows: 0..5,
    first: Side::White,
    draws: DrawRules { repetition: 3, king_moves: 50, endings: &[] },
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(27),
};
