//! The habits in which a game can be written.

use crate::board::Side;
use crate::notation::squares;
use crate::rules::Variant;

use super::ResultText;

/// How a game is written; by default as PDN 3.0 and the custom of its variant have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PdnFormat {
    /// How squares are named.
    pub squares: SquareNames,
    /// How results are written.
    pub results: ResultPoints,
    /// Whether the moves of the second side are in brackets, as in books. Comments and side lines
    /// are left out then.
    pub has_brackets: bool,
}

/// How squares are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SquareNames {
    /// As the variant has them in PDN.
    #[default]
    Custom,
    /// By number, 1 at the top left.
    Numeric,
    /// By file and rank: `c3`.
    Algebraic,
}

/// How results are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ResultPoints {
    /// As they are.
    #[default]
    Unchanged,
    /// Two points for a win: `2-0`, `1-1`.
    Two,
    /// One point for a win, as in chess: `1-0`, `1/2-1/2`.
    One,
}

impl SquareNames {
    /// Appends the name of a square to a text.
    pub(super) fn push(self, text: &mut String, variant: Variant, square: u8) {
        match self {
            SquareNames::Custom => squares::push_pdn_name(text, variant, square),
            SquareNames::Numeric => squares::push_number(text, square),
            SquareNames::Algebraic => squares::push_algebraic_name(text, variant.grid(), square),
        }
    }
}

impl ResultPoints {
    /// A result in these points; one that names no winner stays as it is.
    pub(super) fn converted(self, result: &ResultText) -> ResultText {
        let Some(winner) = result.winner() else {
            return result.clone();
        };
        let text = match (self, winner) {
            (ResultPoints::Unchanged, _) => return result.clone(),
            (ResultPoints::Two, _) => ResultText::of(winner),
            (ResultPoints::One, Some(Side::White)) => "1-0",
            (ResultPoints::One, None) => "1/2-1/2",
            (ResultPoints::One, Some(Side::Black)) => "0-1",
        };
        ResultText::parse(text).unwrap_or_else(|| result.clone())
    }
}
