//! Moves in 16 bits, for tables.

use super::{BitMove, Geometry};

/// A move in 16 bits: seven bits each for origin and destination, and a two-bit hash of the
/// captured squares.
///
/// It identifies a move within a list of legal moves and is not a move by itself: captures with the
/// same origin and destination but different captured pieces may share it. Whatever its source,
/// only a move found in such a list is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedMove(u16);

impl PackedMove {
    /// The move as a number, never 0.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The inverse of [`PackedMove::bits`]; `None` for 0.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if bits == 0 { None } else { Some(PackedMove(bits)) }
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
        PackedMove((mv.from.index() | mv.to.index() << 7 | captured << 14) as u16)
    }
}
