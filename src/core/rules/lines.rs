//! The lines along which pieces move and capture.

use crate::board::{Direction, Side};

use Direction::*;

/// The lines along which pieces move and capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lines {
    /// The diagonals.
    Diagonal,
    /// The diagonals; captures also along rows and columns (Frisian).
    DiagonalAndCaptures,
    /// Rows and columns (Turkish).
    Orthogonal,
}

impl Lines {
    /// The directions in which kings move.
    pub const fn moves(self) -> &'static [Direction] {
        match self {
            Lines::Diagonal | Lines::DiagonalAndCaptures => &Direction::DIAGONAL,
            Lines::Orthogonal => &Direction::ORTHOGONAL,
        }
    }

    /// The directions in which men move: all but backward.
    pub const fn forward(self, side: Side) -> &'static [Direction] {
        match (self, side) {
            (Lines::Orthogonal, Side::White) => &[North, West, East],
            (Lines::Orthogonal, Side::Black) => &[South, West, East],
            (_, Side::White) => &[NorthWest, NorthEast],
            (_, Side::Black) => &[SouthWest, SouthEast],
        }
    }

    /// The directions in which kings capture.
    pub const fn captures(self) -> &'static [Direction] {
        match self {
            Lines::DiagonalAndCaptures => &Direction::ALL,
            _ => self.moves(),
        }
    }

    /// Whether men also step sideways, so that a man's move can be taken back.
    pub const fn has_side_steps(self) -> bool {
        matches!(self, Lines::Orthogonal)
    }
}
