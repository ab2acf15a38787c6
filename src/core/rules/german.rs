//! German and Czech draughts on 8x8: men capture forward only, and kings are flying kings.

use super::{DrawRules, PdnSquares, Precedence, Rules, Variant, VariantSetup};
use crate::board::{Board8, Side};

/// German draughts on 8x8: men capture forward only, kings fly, and any capture may be chosen.
///
/// No federation publishes rules today; these are the rules of *Dame* as given in encyclopaedias.
/// No source was found for draw rules; here the only draw is by repetition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct German;

impl Rules for German {
    type Geometry = Board8;
    const VARIANT: Variant = Variant::German;
    const MEN_CAPTURE_BACKWARD: bool = false;
    const FLYING_KINGS: bool = true;
    const PRECEDENCE: Precedence = Precedence::Free;
}

pub(super) static GERMAN: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    draws: DrawRules::REPETITION,
    pdn_squares: PdnSquares::Numbers,
    pdn_game_type: None,
};

/// Czech draughts on 8x8: a king must capture before a man.
///
/// Česká federace dámy, *Pravidla české dámy* (damweb.cz); the numbers below are its articles. Draw
/// rules: FMJD, *Brief rules of Czech draughts* (fmjd.org/variant.php?p=czech): the third
/// occurrence of a position, or fifteen moves by each side without a capture or a man move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Czech;

impl Rules for Czech {
    type Geometry = Board8; // 2.1, 2.4
    const VARIANT: Variant = Variant::Czech;
    const MEN_CAPTURE_BACKWARD: bool = false; // 4.1
    const FLYING_KINGS: bool = true; // 3.9
    const PRECEDENCE: Precedence = Precedence::King; // 4.14
}

pub(super) static CZECH: VariantSetup = VariantSetup {
    start_rows: 0..3,
    first: Side::White,
    draws: DrawRules { repetition: 3, king_moves: 30, endings: &[] },
    pdn_squares: PdnSquares::Algebraic, // 2.6
    pdn_game_type: Some(29),
};
