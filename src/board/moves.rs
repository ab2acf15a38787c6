//! A move and a list of moves.

use smallvec::SmallVec;

use super::{Bitboard, Geometry, Square};

/// A move: where the piece starts, where it ends, and the set of captured squares.
///
/// Captures that run along different routes but agree in all three are the same move. A man that
/// captures may return to the square it started from, so `from == to` is possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move<G: Geometry> {
    /// The square the piece leaves.
    pub from: Square,
    /// The square it ends on.
    pub to: Square,
    /// The squares of the captured pieces, empty for a quiet move.
    pub captured: Bitboard<G>,
}

impl<G: Geometry> Move<G> {
    /// A move without capture.
    #[inline(always)]
    pub fn quiet(from: Square, to: Square) -> Self {
        Move { from, to, captured: Bitboard::EMPTY }
    }

    /// Whether the move captures.
    #[inline(always)]
    pub fn is_capture(self) -> bool {
        self.captured.is_some()
    }

    /// The squares as numbers: from, to, then the captured squares in ascending order. Lists of
    /// moves are sorted by it wherever a person or a test sees them.
    pub fn numbers(self) -> (u8, u8, Vec<u8>) {
        (G::number(self.from), G::number(self.to), self.captured.numbers().collect())
    }
}

/// A list of moves. The first 64 need no allocation; positions with more exist but are rare.
pub type MoveList<G> = SmallVec<[Move<G>; 64]>;
