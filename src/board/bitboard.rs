//! A set of squares.

use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::geometry::Layout;
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

    /// Every square moved one step. Squares that leave the board end on ghost bits or vanish, so
    /// intersect the result with a set of playable squares.
    #[inline(always)]
    pub fn step(self, direction: Direction) -> Self {
        let length = Layout::new(G::SIZE).step(direction) as u32;
        Bitboard(if direction.is_upward() {
            self.0 >> length
        } else {
            self.0 << length
        })
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

    /// The nearest square of the set on the ray from `square`, `None` if there is none.
    #[inline(always)]
    pub fn nearest(self, square: Square, direction: Direction) -> Option<Square> {
        let hits = (self & Self::ray(square, direction)).0;
        if hits == G::Bits::ZERO {
            return None;
        }
        Some(Square::new(if direction.is_upward() {
            hits.highest()
        } else {
            hits.lowest()
        }))
    }

    /// The squares beyond `square` in a direction up to the first square outside the set: the
    /// squares a piece can slide to if the set holds the empty squares.
    #[inline(always)]
    pub fn slide(self, square: Square, direction: Direction) -> Self {
        let ray = Self::ray(square, direction);
        match (!self).nearest(square, direction) {
            None => ray,
            Some(stop) => ray & !Self::ray(stop, direction) & !Self::of(stop),
        }
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
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set | Self::of(square))
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
