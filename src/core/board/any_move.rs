//! Moves by square number, for any board.

use super::SquareSet;

/// A move by square number: origin, destination and captured pieces.
///
/// Captures by different routes that agree in all three are the same move. A capture may end on its
/// starting square, so `from == to` is possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The square the piece leaves.
    pub from: u8,
    /// The square it lands on.
    pub to: u8,
    /// The squares of the captured pieces; empty for a quiet move.
    pub captured: SquareSet,
}

impl Move {
    /// A quiet move.
    pub const fn quiet(from: u8, to: u8) -> Self {
        Move { from, to, captured: SquareSet::EMPTY }
    }

    /// Whether the move captures.
    pub const fn is_capture(self) -> bool {
        self.captured.is_some()
    }

    /// Origin, destination, then the captured squares in ascending order: the sort key of move
    /// lists in output and tests.
    pub fn numbers(self) -> (u8, u8, Vec<u8>) {
        (self.from, self.to, self.captured.numbers().collect())
    }
}
