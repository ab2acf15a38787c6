//! Squares of bitboards, and sets of square numbers of any board.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

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

    /// The bit index: 0-based, with gaps, and below 128, so that the compiler can drop bounds
    /// checks.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 127) as usize
    }
}

/// A set of square numbers, from 1 to at most 72: square `n` is bit `n - 1`.
///
/// The counterpart of [`Bitboard`](super::Bitboard) for boards that are run-time values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SquareSet(u128);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: SquareSet = SquareSet(0);

    /// The set that contains one square.
    pub const fn of(square: u8) -> Self {
        debug_assert!(square >= 1 && square <= 128);
        SquareSet(1 << (square - 1))
    }

    /// The squares `1..=last`.
    pub const fn up_to(last: u8) -> Self {
        if last == 0 { SquareSet(0) } else { SquareSet(u128::MAX >> (128 - last as u32)) }
    }

    /// The set with the given bits; the lowest bit is square 1.
    pub const fn from_bits(bits: u128) -> Self {
        SquareSet(bits)
    }

    /// The bits of the set; the lowest bit is square 1.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set is not empty.
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }

    /// Whether the set contains a square.
    pub const fn has(self, square: u8) -> bool {
        square >= 1 && square <= 128 && self.0 >> (square - 1) & 1 == 1
    }

    /// The number of squares in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Adds a square. Returns whether it was missing.
    pub fn insert(&mut self, square: u8) -> bool {
        let is_new = !self.has(square);
        *self |= SquareSet::of(square);
        is_new
    }

    /// The lowest square; `None` if the set is empty.
    pub fn first(self) -> Option<u8> {
        self.numbers().next()
    }

    /// The squares, ascending.
    pub fn numbers(self) -> impl Iterator<Item = u8> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let square = (rest != 0).then(|| rest.trailing_zeros() as u8 + 1)?;
            rest &= rest - 1;
            Some(square)
        })
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.numbers()).finish()
    }
}

impl FromIterator<u8> for SquareSet {
    fn from_iter<I: IntoIterator<Item = u8>>(squares: I) -> Self {
        squares.into_iter().fold(SquareSet::EMPTY, |set, square| set | SquareSet::of(square))
    }
}

impl BitAnd for SquareSet {
    type Output = SquareSet;

    fn bitand(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }
}

impl BitOr for SquareSet {
    type Output = SquareSet;

    fn bitor(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }
}

impl BitAndAssign for SquareSet {
    fn bitand_assign(&mut self, other: SquareSet) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for SquareSet {
    fn bitor_assign(&mut self, other: SquareSet) {
        self.0 |= other.0;
    }
}

impl Not for SquareSet {
    type Output = SquareSet;

    /// The complement. It includes numbers that are on no board, so intersect it with the playable
    /// squares of a board.
    fn not(self) -> SquareSet {
        SquareSet(!self.0)
    }
}
