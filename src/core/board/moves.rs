//! Moves on bitboards, and lists of them.

use smallvec::SmallVec;

use super::{Bitboard, Geometry, Move, Square};

/// A move on bitboards: origin, destination and captured pieces.
///
/// Captures by different routes that agree in all three are the same move. A capture may end on its
/// starting square, so `from == to` is possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitMove<G: Geometry> {
    /// The square the piece leaves.
    pub from: Square,
    /// The square it lands on.
    pub to: Square,
    /// The squares of the captured pieces; empty for a quiet move.
    pub captured: Bitboard<G>,
}

impl<G: Geometry> BitMove<G> {
    /// A quiet move.
    #[inline(always)]
    pub fn quiet(from: Square, to: Square) -> Self {
        BitMove { from, to, captured: Bitboard::EMPTY }
    }

    /// Whether the move captures.
    #[inline(always)]
    pub fn is_capture(self) -> bool {
        self.captured.is_some()
    }

    /// The move by square number.
    pub fn to_move(self) -> Move {
        let Self { from, to, captured } = self;
        Move { from: G::number(from), to: G::number(to), captured: captured.to_set() }
    }

    /// The move on this board; `None` if its origin or destination is not on it.
    pub fn of_move(mv: Move) -> Option<Self> {
        let square = |number: u8| G::square(number.into());
        let Move { from, to, captured } = mv;
        Some(Self { from: square(from)?, to: square(to)?, captured: Bitboard::of_set(captured) })
    }
}

/// A list of moves. Up to 64 need no heap allocation; positions with more are rare.
pub type MoveList<G> = SmallVec<[BitMove<G>; 64]>;
