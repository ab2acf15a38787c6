//! Italian and Spanish draughts, on 8x8 with a dark corner at each player's right.

use super::{DrawRules, Ending, PdnSquares, Precedence, Rules, VariantSetup};
use crate::board::{Board8Mirrored, Side};

/// Italian draughts on 8x8, with a dark corner at each player's right.
///
/// Federazione Italiana Dama, *Regolamento tecnico*, chapter I (fid.it/regolamenti/capo1.htm and
/// fid.it/regolamenti/2008/RegTec_CAPO_I.pdf); the numbers below are its articles. According to
/// some descriptions of the game, the third occurrence of a position is a draw, not the fourth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Italian;

impl Rules for Italian {
    type Geometry = Board8Mirrored; // 2.1, 2.3
    const MEN_CAPTURE_BACKWARD: bool = false; // 5.3 a
    const MEN_CAPTURE_KINGS: bool = false; // 5.3 b
    const FLYING_KINGS: bool = false; // 4.7

    #[inline(always)]
    fn precedence(self) -> Precedence {
        Precedence::PiecesKingKingsEarly // 6.6 to 6.9
    }
}

pub(super) static ITALIAN: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    // 9.3 b1, 10.4: forty moves by each side without a capture or a man move.
    draws: DrawRules { repetition: 4, king_moves: 80, endings: &[] },
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(22),
};

/// Spanish draughts on 8x8, with a dark corner at each player's right.
///
/// Federação Portuguesa de Damas, *Regras de damas clássicas*; the numbers below are its articles.
/// Draw rules: the federation's *Rules of Portuguese draughts (Spanish draughts)* of 2026, articles
/// 3.8 and 5.3, known here only from quotations; section64port.online has the same numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spanish;

impl Rules for Spanish {
    type Geometry = Board8Mirrored; // 2.1.2, 2.1.5
    const MEN_CAPTURE_BACKWARD: bool = false;
    const FLYING_KINGS: bool = true;

    #[inline(always)]
    fn precedence(self) -> Precedence {
        Precedence::PiecesKings
    }
}

pub(super) static SPANISH: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    draws: SPANISH_DRAWS,
    pdn_squares: PdnSquares::NumbersFromBelow,
    pdn_game_type: Some(24),
};

/// The Spanish draw rules, in plies. The twenty moves of article 3.8.b count only if each side has
/// a king and at most four pieces, and not in an ending of three kings against one; here they
/// always count, as on section64port.online. The rules do not say whether the count of 3.8.a ends
/// when the king leaves the main road; here it continues.
const SPANISH_DRAWS: DrawRules = DrawRules {
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
