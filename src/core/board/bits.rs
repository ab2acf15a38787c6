//! The machine word behind a bitboard.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

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
    /// The index of the lowest set bit; the width of the word for zero.
    fn lowest(self) -> u32;
    /// The word without its lowest set bit; zero stays zero.
    fn without_lowest(self) -> Self;
    /// The wrapping sum with the lowest set bit of `other`; the word itself if `other` is zero.
    fn plus_lowest_of(self, other: Self) -> Self;
    /// All bits up to and including the lowest set one; every bit for zero.
    fn up_to_lowest(self) -> Self;
    /// All bits from the top down to the highest set one; every bit for zero.
    fn down_to_highest(self) -> Self;
    /// The lowest `count` bits in reverse order; no higher bit may be set.
    fn reversed(self, count: usize) -> Self;
    /// The word with the given lowest 64 bits.
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
