//! A set of squares.

use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::{Bits, Direction, Geometry, Square};

/// A set of playable squares of a board, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Bitboard<G: Geometry>(pub G::Bits);

impl<G: Geometry> Hash for Bitboard<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<G: Geometry> Bitboard<G> {
    /// No square.
    pub const EMPTY: Self = Bitboard(G::Bits::ZERO);
    /// Every playable square.
    pub const PLAYABLE: Self = Bitboard(G::PLAYABLE);

    /// The set of one square.
    #[inline(always)]
    pub fn of(square: Square) -> Self {
        Bitboard(G::Bits::ONE << square.index() as u32)
    }

    /// The squares with a lower index, ghosts included.
    #[inline(always)]
    pub fn before(square: Square) -> Self {
        let of = Self::of(square);
        Bitboard(of.0.up_to_lowest()) & !of
    }

    /// Whether no square is in the set.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == G::Bits::ZERO
    }

    /// Whether at least one square is in the set.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        !self.is_empty()
    }

    /// Whether a square is in the set.
    #[inline(always)]
    pub fn has(self, square: Square) -> bool {
        (self & Self::of(square)).is_some()
    }

    /// How many squares are in the set.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The square with the lowest index. The set must not be empty.
    #[inline(always)]
    pub fn first(self) -> Square {
        debug_assert!(self.is_some());
        Square::new(self.0.lowest())
    }

    /// The set without the square of lowest index.
    #[inline(always)]
    pub fn without_first(self) -> Self {
        Bitboard(self.0.without_lowest())
    }

    /// The set as a number plus its lowest square, where `ones` count as bits that are set: the carry
    /// goes over them. With nothing to carry to, all that is above is lost.
    #[inline(always)]
    pub fn plus_lowest(self, ones: Self) -> Self {
        Bitboard((self | ones).0.plus_lowest_of(self.0))
    }

    /// Every square moved one step. Squares that leave the board end on ghost bits or vanish, so
    /// intersect the result with a set of playable squares.
    #[inline(always)]
    pub fn step(self, direction: Direction) -> Self {
        // Two shifts, one of them by nothing: no branch where the direction is not a constant.
        let (down, up) = Self::SHIFTS[direction.index()];
        Bitboard((self.0 << down) >> up)
    }

    /// For each direction by how much to shift to higher and to lower bits.
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

    /// The set after a half turn of the board.
    #[inline(always)]
    pub fn turned(self) -> Self {
        Bitboard(self.0.reversed(G::BITS))
    }

    /// The squares of the set, in order of their index: also of their number, except within the
    /// rows of a mirrored board.
    #[inline(always)]
    pub fn squares(self) -> Squares<G> {
        Squares(self)
    }

    /// The squares beyond `square` in a direction, up to the edge.
    #[inline(always)]
    pub fn ray(square: Square, direction: Direction) -> Self {
        Bitboard(G::rays()[direction.index()][square.index()])
    }

    /// The squares from `square` (exclusive) in a direction up to and including the first one that
    /// is in the set; up to the edge if none is. With the occupied squares as the set: where a
    /// flying king reaches, the piece that stops it included.
    #[inline(always)]
    pub fn reach(self, square: Square, direction: Direction) -> Self {
        let ray = Self::ray(square, direction);
        let stops = (self & ray).0;
        let reached =
            if direction.is_upward() { stops.down_to_highest() } else { stops.up_to_lowest() };
        ray & Bitboard(reached)
    }

    /// The numbers of the squares, ascending.
    pub fn numbers(self) -> impl Iterator<Item = u8> {
        (1..=G::SQUARES).filter_map(move |number| {
            let square = G::square(number)?;
            self.has(square).then_some(number as u8)
        })
    }
}

/// The squares of a set.
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

    /// The complement: includes ghost bits, so intersect it with playable squares.
    #[inline(always)]
    fn not(self) -> Self {
        Bitboard(!self.0)
    }
}
