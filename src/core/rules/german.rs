//! German and Czech draughts on 8x8: men capture forward only, and kings are flying kings.

use super::{DrawRules, PdnSquares, Precedence, Rules, VariantSetup};
use crate::board::{Board8, Side};

/// A variant on 8x8 with flying kings and men that capture forward only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MenForward8 {
    precedence: Precedence,
}

impl Rules for MenForward8 {
    type Geometry = Board8;
    const MEN_CAPTURE_BACKWARD: bool = false;
    const FLYING_KINGS: bool = true;

    #[inline(always)]
    fn precedence(self) -> Precedence {
        self.precedence
    }
}

impl MenForward8 {
    /// German draughts on 8x8: men capture forward only, kings fly, and any capture may be chosen.
    ///
    /// No federation publishes rules today; these are the rules of *Dame* as given in
    /// encyclopaedias. No source was found for draw rules; here the only draw is by repetition.
    pub const GERMAN: Self = MenForward8 { precedence: Precedence::Free };
}

pub(super) static GERMAN: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    draws: DrawRules::REPETITION,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: None,
};

impl MenForward8 {
    /// Czech draughts on 8x8: a king must capture before a man.
    ///
    /// Česká federace dámy, *Pravidla české dámy* (damweb.cz); the numbers below are its articles.
    /// Men capture forward only (4.1), and kings fly (3.9). Draw rules: FMJD, *Brief rules of Czech
    /// draughts* (fmjd.org/variant.php?p=czech): the third occurrence of a position, or fifteen
    /// moves by each side without a capture or a man move.
    pub const CZECH: Self = MenForward8 {
        precedence: Precedence::King, // 4.14
    };
}

pub(super) static CZECH: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    draws: DrawRules { repetition: 3, king_moves: 30, endings: &[] },
    pdn_squares: PdnSquares::Algebraic, // 2.6
    pdn_game_type: Some(29),
};
