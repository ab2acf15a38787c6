//! Boards as text and as pictures.

mod svg;
#[cfg(feature = "program")]
mod text;

pub use svg::{empty_boards, piece_drawings, svg};
#[cfg(feature = "program")]
pub use text::{Glyphs, TextStyle, text};

use crate::board::{Grid, Kind, Piece, Side, SquareSet};
use crate::erased::Position;

/// A position as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The position.
    pub position: Position,
    /// The side at the bottom.
    pub bottom: Side,
    /// Squares that stand out, such as those of the last move.
    pub marked: SquareSet,
    /// Squares with a dot, such as those that can be moved to. Only pictures have dots.
    pub dotted: SquareSet,
    /// Arrows from a square to another. Only pictures have arrows.
    pub arrows: Vec<[u8; 2]>,
}

impl Diagram {
    /// A position seen from a side, without marks.
    pub fn new(position: Position, bottom: Side) -> Self {
        let none = SquareSet::EMPTY;
        Diagram { position, bottom, marked: none, dotted: none, arrows: Vec::new() }
    }

    fn grid(&self) -> Grid {
        self.position.grid()
    }

    /// The row and column at which a square is shown.
    fn place_of(&self, square: u8) -> [u8; 2] {
        let seen = self.seen(square);
        [self.grid().row(seen), self.grid().column(seen)]
    }

    /// The square that is in the place of this one if White is at the bottom, and the reverse.
    fn seen(&self, square: u8) -> u8 {
        match self.bottom {
            Side::White => square,
            Side::Black => self.grid().rotated(square),
        }
    }
}

/// A piece as a letter: `w` and `b` for men, `W` and `B` for kings.
pub fn letter(piece: Piece) -> char {
    match (piece.side, piece.kind) {
        (Side::White, Kind::Man) => 'w',
        (Side::White, Kind::King) => 'W',
        (Side::Black, Kind::Man) => 'b',
        (Side::Black, Kind::King) => 'B',
    }
}
