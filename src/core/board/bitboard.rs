//! Bitboards, and the unsigned integers that store them.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

use super::{Direction, Geometry, Square, SquareSet};

/// A set of playable squares of a board, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Bitboard<G: Geometry>(pub G::Bits);

impl<G: Geometry> Hash for Bitboard<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<G: Geometry> Bitboard<G> {
    /// The empty set.
    pub const EMPTY: Self = Bitboard(G::Bits::ZERO);
    /// All playable squares.
    pub const PLAYABLE: Self = Bitboard(G::PLAYABLE);

    /// The set that contains one square.
    #[inline(always)]
    pub fn of(square: Square) -> Self {
        Bitboard(G::Bits::ONE << square.index() as u32)
    }

    /// All bits below the index of a square, ghost bits included.
    #[inline(always)]
    pub fn before(square: Square) -> Self {
        let of = Self::of(square);
        Bitboard(of.0.up_to_lowest()) & !of
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == G::Bits::ZERO
    }

    /// Whether the set is not empty.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        !self.is_empty()
    }

    /// Whether the set contains a square.
    #[inline(always)]
    pub fn has(self, square: Square) -> bool {
        (self & Self::of(square)).is_some()
    }

    /// The number of squares in the set.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The lowest square. The set must not be empty.
    #[inline(always)]
    pub fn first(self) -> Square {
        debug_assert!(self.is_some());
        Square::new(self.0.lowest())
    }

    /// The set without its lowest square.
    #[inline(always)]
    pub fn without_first(self) -> Self {
        Bitboard(self.0.without_lowest())
    }

    /// Adds the lowest set bit to the word, treating the bits in `ones` as set so that the carry
    /// passes over them. A carry out of the top of the word is lost.
    #[inline(always)]
    pub fn plus_lowest(self, ones: Self) -> Self {
        Bitboard((self | ones).0.plus_lowest_of(self.0))
    }

    /// All squares shifted one step in a direction. Squares that step off the board land on ghost
    /// bits or vanish, so intersect the result with playable squares.
    #[inline(always)]
    pub fn step(self, direction: Direction) -> Self {
        // Two shifts, one of them by zero, avoid a branch when the direction is not a constant.
        let (down, up) = Self::SHIFTS[direction.index()];
        Bitboard((self.0 << down) >> up)
    }

    /// This set and the squares that can be reached from it in a direction over `free` squares, up to
    /// seven squares away (fifteen on 12x12), found by parallel prefix (Kogge-Stone). That is far
    /// enough to capture: of the ten squares of the longest line on 10x10, one is the king's, one its
    /// victim's and one behind the victim.
    #[inline(always)]
    pub fn slide(self, direction: Direction, free: Self) -> Self {
        let by = |set: Self, squares: u32| {
            let (down, up) = Self::SHIFTS[direction.index()];
            Bitboard((set.0 << (squares * down)) >> (squares * up))
        };
        let two = free & by(free, 1);
        let four = two & by(two, 2);
        let mut reached = self | (free & by(self, 1));
        reached |= two & by(reached, 2);
        reached |= four & by(reached, 4);
        if G::SIZE > 10 {
            reached |= four & by(four, 4) & by(reached, 8);
        }
        reached
    }

    /// For each direction, the shift to higher bits and the shift to lower bits, one of them zero.
    const SHIFTS: [(u32, u32); 8] = {
        let mut shifts = [(0, 0); 8];
        let mut index = 0;
        while index < 8 {
            let step = G::STEPS[index];
            shifts[index] = if step < 0 { (0, -step as u32) } else { (step as u32, 0) };
            index += 1;
        }
        shifts
    };

    /// The set after a rotation of the board by 180 degrees.
    #[inline(always)]
    pub fn rotated(self) -> Self {
        Bitboard(self.0.reversed(G::BITS))
    }

    /// The squares in order of bit index. This is also the order of the square numbers, except
    /// within the rows of a mirrored board.
    #[inline(always)]
    pub fn squares(self) -> Squares<G> {
        Squares(self)
    }

    /// The squares from `square` (exclusive) to the edge in a direction.
    #[inline(always)]
    pub fn ray(square: Square, direction: Direction) -> Self {
        Bitboard(G::rays()[direction.index()][square.index()])
    }

    /// The squares from `square` (exclusive) in a direction, up to and including the first that is
    /// in this set, or to the edge if none is. If this is the set of occupied squares, the result
    /// is the reach of a flying king, including the first piece in its way.
    #[inline(always)]
    pub fn reach(self, square: Square, direction: Direction) -> Self {
        let ray = Self::ray(square, direction);
        let stops = (self & ray).0;
        let reached =
            if direction.is_upward() { stops.down_to_highest() } else { stops.up_to_lowest() };
        ray & Bitboard(reached)
    }

    /// Converts to a set of square numbers.
    #[inline(never)]
    pub fn to_set(self) -> SquareSet {
        // Often empty: there are no kings, or the move is quiet and captures nothing.
        if self.is_empty() {
            return SquareSet::EMPTY;
        }
        let layout = G::LAYOUT;
        let mut set = 0;
        for row in 0..G::SIZE {
            let bits = (self.0 >> layout.index(row, 0) as u32).low() & ((1 << G::ROW) - 1);
            set |= u128::from(ordered::<G>(bits)) << (row * G::ROW);
        }
        SquareSet::from_bits(set)
    }

    /// Converts a set of square numbers to a bitboard; numbers off the board are dropped.
    #[inline(never)]
    pub fn of_set(set: SquareSet) -> Self {
        if set.is_empty() {
            return Bitboard::EMPTY;
        }
        let layout = G::LAYOUT;
        let mut bits = G::Bits::ZERO;
        for row in 0..G::SIZE {
            let numbers = (set.bits() >> (row * G::ROW)) as u64 & ((1 << G::ROW) - 1);
            let row = G::Bits::from_low(ordered::<G>(numbers)) << layout.index(row, 0) as u32;
            bits = bits | row;
        }
        Bitboard(bits)
    }
}

/// Converts the bits of a row from number order to layout order, or back.
fn ordered<G: Geometry>(row: u64) -> u64 {
    if G::MIRRORED { row.reverse_bits() >> (u64::BITS as usize - G::ROW) } else { row }
}

/// An iterator over the squares of a [`Bitboard`].
pub struct Squares<G: Geometry>(Bitboard<G>);

impl<G: Geometry> Iterator for Squares<G> {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.first();
        self.0 = self.0.without_first();
        Some(square)
    }
}

impl<G: Geometry> FromIterator<Square> for Bitboard<G> {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident, $op:tt) => {
        impl<G: Geometry> $trait for Bitboard<G> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Bitboard(self.0 $op other.0)
            }
        }

        impl<G: Geometry> $assign for Bitboard<G> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = *self $op other;
            }
        }
    };
}

operator!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
operator!(BitOr, bitor, BitOrAssign, bitor_assign, |);
operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

impl<G: Geometry> Not for Bitboard<G> {
    type Output = Self;

    /// The complement. It includes ghost bits, so intersect it with playable squares.
    #[inline(always)]
    fn not(self) -> Self {
        Bitboard(!self.0)
    }
}

/// An unsigned integer that holds a bitboard, one bit per square: `u64` or `u128`.
pub trait Bits:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// No bit set.
    const ZERO: Self;
    /// Only the lowest bit set.
    const ONE: Self;

    /// The number of set bits.
    fn count_ones(self) -> u32;
    /// The index of the lowest set bit; the width of the word if it is zero.
    fn lowest(self) -> u32;
    /// The word without its lowest set bit; zero stays zero.
    fn without_lowest(self) -> Self;
    /// The wrapping sum of the word and the lowest set bit of `other`; the word itself if `other`
    /// is zero.
    fn plus_lowest_of(self, other: Self) -> Self;
    /// All bits up to and including the lowest set bit; all bits if the word is zero.
    fn up_to_lowest(self) -> Self;
    /// All bits from the top down to the highest set bit; all bits if the word is zero.
    fn down_to_highest(self) -> Self;
    /// The lowest `count` bits in reverse order; no higher bit may be set.
    fn reversed(self, count: usize) -> Self;
    /// The word with the given lowest 64 bits and zeros above.
    fn from_low(bits: u64) -> Self;
    /// The lowest 64 bits.
    fn low(self) -> u64;
    /// The word folded to 64 bits, for hashing.
    fn folded(self) -> u64;
}

macro_rules! impl_bits {
    ($type:ty, $folded:expr) => {
        impl Bits for $type {
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline(always)]
            fn from_low(bits: u64) -> Self {
                bits as $type
            }
            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn count_ones(self) -> u32 {
                <$type>::count_ones(self)
            }
            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn plus_lowest_of(self, other: Self) -> Self {
                self.wrapping_add(other & other.wrapping_neg())
            }
            #[inline(always)]
            fn up_to_lowest(self) -> Self {
                self ^ self.wrapping_sub(1)
            }
            #[inline(always)]
            fn down_to_highest(self) -> Self {
                !0 << ((self | 1).ilog2())
            }
            #[inline(always)]
            fn reversed(self, count: usize) -> Self {
                self.reverse_bits() >> (<$type>::BITS - count as u32)
            }
            #[inline(always)]
            fn folded(self) -> u64 {
                $folded(self)
            }
        }
    };
}

impl_bits!(u64, |bits| bits);
impl_bits!(u128, |bits: u128| bits as u64 ^ (bits >> 64) as u64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board8, Board8Full, Board8Mirrored, Board10, Board12};

    /// Compares slides over some of the squares with single steps.
    fn check<G: Geometry>() {
        for seed in 0..2000_u128 {
            let random = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            // About three quarters of the squares are free, in every tenth case all.
            let some = SquareSet::from_bits(random | random.rotate_right(41));
            let free = match seed % 10 {
                0 => Bitboard::<G>::PLAYABLE,
                _ => Bitboard::of_set(some) & Bitboard::PLAYABLE,
            };
            let from = Bitboard::of_set(SquareSet::from_bits(1 << (seed as usize % G::SQUARES)));
            for direction in Direction::ALL {
                let mut reached = from;
                for _ in 0..if G::SIZE > 10 { 15 } else { 7 } {
                    reached |= reached.step(direction) & free;
                }
                assert_eq!(from.slide(direction, free), reached, "{direction:?} {seed}");
            }
        }
    }

    #[test]
    fn slides_are_single_steps_over_free_squares() {
        check::<Board8>();
        check::<Board8Mirrored>();
        check::<Board10>();
        check::<Board12>();
        check::<Board8Full>();
    }
}
