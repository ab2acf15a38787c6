//! Moves in 16 bits, for tables.

use std::num::NonZeroU16;

use super::{BitMove, Geometry, Square};

/// A move in 16 bits: seven bits each for origin and destination, and a two-bit hash of the
/// captured squares.
///
/// It identifies a move within a list of legal moves and is not a move by itself: captures with the
/// same origin and destination but different captured pieces may share it. Whatever its source,
/// only a move found in such a list is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedMove(NonZeroU16);

impl PackedMove {
    /// The move as a number, never 0.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The quiet move on a board that is packed like this; `None` if it is a capture, or its squares
    /// are beyond the board. It need not be a legal move of any position.
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

    /// Whether this is a move, packed.
    #[inline(always)]
    pub fn is<G: Geometry>(self, mv: BitMove<G>) -> bool {
        // The squares first: they take less time and nearly always decide.
        (self.bits() & SQUARES) == squares(mv) && self == mv.into()
    }

    /// From bits that are not 0.
    #[inline(always)]
    fn new(bits: u16) -> Self {
        PackedMove(NonZeroU16::new(bits).unwrap_or(NonZeroU16::MIN))
    }
}

impl<G: Geometry> From<BitMove<G>> for PackedMove {
    /// Never 0: only a capture can end on its starting square, and the two bits of a capture are
    /// not 0.
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

/// The bits of origin and destination.
const SQUARES: u16 = (1 << 14) - 1;

/// The origin and destination of a move.
#[inline(always)]
fn squares<G: Geometry>(mv: BitMove<G>) -> u16 {
    (mv.from.index() | mv.to.index() << 7) as u16
}
