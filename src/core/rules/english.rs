//! The American variants on 8x8: English draughts, also called checkers, and pool checkers.

use super::{DrawRules, Ending, MenBackward8, PdnSquares, Precedence, Rules, VariantSetup};
use crate::board::{Board8, Side};

/// English draughts, also called American checkers, on 8x8.
///
/// World Checkers/Draughts Federation, *Rules of draughts*, which the American Checker Federation
/// has adopted (usacheckers.com, docslib.org/doc/1233951); the numbers below are its articles. Over
/// the board, a player must claim the draws of 1.32.1 (third occurrence) and 1.32.2 (forty moves by
/// each side without a capture or a man move; 1.27 in the revised edition). Here they are
/// automatic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct English;

impl Rules for English {
    type Geometry = Board8; // 1.1, 1.4
    const MEN_CAPTURE_BACKWARD: bool = false; // 1.18
    const FLYING_KINGS: bool = false; // 1.17

    #[inline(always)]
    fn precedence(self) -> Precedence {
        Precedence::Free // 1.20
    }
}

pub(super) static ENGLISH: VariantSetup = VariantSetup {
    start_rows: 0..3, // 1.11
    first: Side::Black,
    draws: DrawRules { repetition: 3, king_moves: 80, endings: &[] }, // 1.32.1, 1.32.2
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(21),
};

impl MenBackward8 {
    /// American pool checkers on 8x8: captures as in Russian draughts, but no promotion in passing.
    ///
    /// American Pool Checkers Association, *Tournament rules of play* (americanpoolcheckers.us);
    /// the numbers below are its articles. Men capture backward (14), and kings fly (15). According
    /// to article 7, Black moves first; here White does, as for other associations. PDN files of
    /// both kinds are read.
    pub const POOL: Self = MenBackward8 {
        precedence: Precedence::Free, // 20
        promotes_in_passing: false,
    };
}

pub(super) static POOL: VariantSetup = VariantSetup {
    start_rows: 0..3, // 5
    first: Side::White,
    draws: POOL_DRAWS,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: Some(23),
};

/// The limit of article 26, in plies: three kings have thirteen moves to win against one king.
const POOL_DRAWS: DrawRules = DrawRules {
    repetition: 3,
    king_moves: 30,
    endings: &[Ending {
        article: "26",
        plies: 26,
        restarts: true,
        applies: |material| material.is_lone_king_against(3, 3, 3),
    }],
};
