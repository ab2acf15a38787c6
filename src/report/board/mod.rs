//! Boards as text and as pictures.

mod svg;
mod text;

pub use svg::{empty_boards, piece_drawings, svg};
pub use text::{Glyphs, TextStyle, letter, text};

use crate::board::{Grid, Side, SquareSet};
use crate::door::Position;

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

    /// The square at a row and column as shown, each counted from 0 at the top left; `None` if it
    /// is light on a board of dark squares.
    fn square_at(&self, row: u8, column: u8) -> Option<u8> {
        let square = self.grid().at(row, column)?;
        // A half turn takes playable squares to playable squares.
        Some(self.seen(square))
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
            Side::Black => self.grid().turned(square),
        }
    }
}
