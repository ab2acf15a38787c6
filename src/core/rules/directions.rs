//! The directions in which pieces move and capture.

use crate::board::{Direction, Side};

use Direction::*;

/// The directions in which pieces move and capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Directions {
    /// The diagonals.
    Diagonal,
    /// The diagonals; captures along rows and columns too (Frisian).
    AllForCaptures,
    /// Rows and columns (Turkish).
    Orthogonal,
}

impl Directions {
    /// The directions in which kings move.
    pub const fn moves(self) -> &'static [Direction] {
        match self {
            Directions::Diagonal | Directions::AllForCaptures => &Direction::DIAGONAL,
            Directions::Orthogonal => &Direction::ORTHOGONAL,
        }
    }

    /// The directions in which men move: all but backward.
    pub const fn forward(self, side: Side) -> &'static [Direction] {
        match (self, side) {
            (Directions::Orthogonal, Side::White) => &[North, West, East],
            (Directions::Orthogonal, Side::Black) => &[South, West, East],
            (_, Side::White) => &[NorthWest, NorthEast],
            (_, Side::Black) => &[SouthWest, SouthEast],
        }
    }

    /// The directions in which kings capture.
    pub const fn captures(self) -> &'static [Direction] {
        match self {
            Directions::AllForCaptures => &Direction::ALL,
            _ => self.moves(),
        }
    }

    /// Whether men also step sideways, so that a man's move can be taken back.
    pub const fn has_side_steps(self) -> bool {
        matches!(self, Directions::Orthogonal)
    }
}
