//! A move in 16 bits, for tables.

use super::{Geometry, Move};

/// A move in 16 bits: from and to in seven bits each, and two bits about what it captures.
///
/// It recognises a move in a list of legal moves rather than standing for one: captures that agree
/// in from and to but not in what they capture may share it. Wherever it comes from, only a move
/// that is found in such a list is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedMove(u16);

impl PackedMove {
    /// The move as a number, never 0.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move that [`PackedMove::bits`] gave, `None` for 0.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if bits == 0 { None } else { Some(PackedMove(bits)) }
    }
}

impl<G: Geometry> From<Move<G>> for PackedMove {
    /// Only a capture may return to its start, and its two bits are not 0: so 0 is no move.
    #[inline(always)]
    fn from(mv: Move<G>) -> Self {
        let captured = if mv.is_capture() {
            1 + mv.captured.squares().map(|s| s.index()).sum::<usize>() % 3
        } else {
            0
        };
        PackedMove((mv.from.index() | mv.to.index() << 7 | captured << 14) as u16)
    }
}
