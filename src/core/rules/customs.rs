//! The part of a game that is data: start position, draw rules and notation. Move generation does
//! not depend on it, so it is not part of the type.

use std::ops::Range;

use crate::board::Side;

use super::DrawRules;

/// The start position, draw rules and notation of a game.
#[derive(Clone, Debug)]
pub struct Customs {
    /// The rows full of men at the start, counted from the side's own edge of the board.
    pub start_rows: Range<usize>,
    /// The side that moves first.
    pub first: Side,
    /// The draw rules.
    pub draws: DrawRules,
    /// How PDN files name squares.
    pub pdn_squares: PdnSquares,
    /// The number of the game in the `GameType` tag of PDN; `None` if PDN defines none.
    pub pdn_game_type: Option<u8>,
}

/// How PDN files name squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PdnSquares {
    /// By number, 1 at the top left.
    Numbers,
    /// By number, 1 at the bottom right.
    NumbersFromBelow,
    /// By file and rank, a1 at the bottom left.
    Algebraic,
}
