//! Squares on bitboards.

/// A playable square, stored as its bit index in the bitboard layout.
///
/// The layout has ghost bits (see [`Geometry`](super::Geometry)), so the bit indices of a board
/// have gaps: 0 to 62 for the 50 squares of 10x10. The numbers used in notation (1 to 50) come from
/// [`Geometry::number`](super::Geometry::number).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Square(u8);

impl Square {
    /// The square with a given bit index.
    #[inline(always)]
    pub const fn new(index: u32) -> Self {
        Square(index as u8)
    }

    /// The bit index: 0-based, with gaps, and below 128, which lets the compiler drop bounds
    /// checks.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 127) as usize
    }
}
