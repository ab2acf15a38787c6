//! Moves: on bitboards, by square number for any board, and packed in 16 bits for tables.

use std::num::NonZeroU16;

use smallvec::SmallVec;

use super::{Bitboard, Geometry, Square, SquareSet};

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

    /// Converts to a move by square number.
    pub fn to_move(self) -> Move {
        let Self { from, to, captured } = self;
        Move { from: G::number(from), to: G::number(to), captured: captured.to_set() }
    }

    /// Converts a move by square number; `None` if its origin or destination is off the board.
    pub fn of_move(mv: Move) -> Option<Self> {
        let square = |number: u8| G::square(number.into());
        let Move { from, to, captured } = mv;
        Some(Self { from: square(from)?, to: square(to)?, captured: Bitboard::of_set(captured) })
    }
}

/// A list of moves. Up to 64 need no heap allocation; positions with more are rare.
pub type MoveList<G> = SmallVec<[BitMove<G>; 64]>;

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

/// A move in 16 bits: seven bits each for origin and destination, and a two-bit hash of the
/// captured squares.
///
/// It identifies a move only within a list of legal moves: captures with the same origin and
/// destination but different captured pieces may have the same packed form. Wherever it comes from,
/// a packed move is therefore looked up in such a list before it is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedMove(NonZeroU16);

impl PackedMove {
    /// The move as a number, never 0.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Unpacks a quiet move; `None` for a capture or if a square is off the board. The move need
    /// not be legal.
    #[inline(always)]
    pub fn quiet<G: Geometry>(self) -> Option<BitMove<G>> {
        let bits = u32::from(self.bits());
        let [from, to] = [bits & 127, bits >> 7].map(Square::new);
        let is_quiet = from.index().max(to.index()) < G::BITS;
        is_quiet.then(|| BitMove::quiet(from, to))
    }

    /// A quiet move.
    #[inline(always)]
    pub fn of_quiet<G: Geometry>(mv: BitMove<G>) -> Self {
        debug_assert!(!mv.is_capture());
        Self::new(squares(mv))
    }

    /// The inverse of [`PackedMove::bits`]; `None` for 0.
    #[inline(always)]
    pub fn from_bits(bits: u16) -> Option<Self> {
        NonZeroU16::new(bits).map(PackedMove)
    }

    /// Whether this is the packed form of a move.
    #[inline(always)]
    pub fn is<G: Geometry>(self, mv: BitMove<G>) -> bool {
        // The squares are compared first: this is cheaper and nearly always decides.
        (self.bits() & SQUARES) == squares(mv) && self == mv.into()
    }

    /// Wraps the packed bits, which must not be 0.
    #[inline(always)]
    fn new(bits: u16) -> Self {
        PackedMove(NonZeroU16::new(bits).unwrap_or(NonZeroU16::MIN))
    }
}

impl<G: Geometry> From<BitMove<G>> for PackedMove {
    /// The result is never 0: only a capture can end on its starting square, and the two hash bits
    /// of a capture are not both 0.
    #[inline(always)]
    fn from(mv: BitMove<G>) -> Self {
        let captured = if mv.is_capture() {
            1 + mv.captured.squares().map(|s| s.index()).sum::<usize>() % 3
        } else {
            0
        };
        Self::new(squares(mv) | (captured as u16) << 14)
    }
}

/// The mask of the bits for origin and destination.
const SQUARES: u16 = (1 << 14) - 1;

/// The bits for the origin and destination of a move.
#[inline(always)]
fn squares<G: Geometry>(mv: BitMove<G>) -> u16 {
    (mv.from.index() | mv.to.index() << 7) as u16
}
