//! A set of pieces on the squares left to it.

use crate::board::{Bitboard, Geometry};

use super::binomial::{binomial, greatest};

/// A subset of some squares that steps through all subsets of its size, in the order of their
/// numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subset<G: Geometry> {
    /// The squares to choose from.
    of: Bitboard<G>,
    chosen: Bitboard<G>,
}

impl<G: Geometry> Subset<G> {
    /// The empty subset of no squares.
    pub(super) const EMPTY: Self = Subset { of: Bitboard::EMPTY, chosen: Bitboard::EMPTY };

    /// The first subset of `size` squares of a set, which has number 0.
    #[inline(always)]
    pub(super) fn first(of: Bitboard<G>, size: usize) -> Self {
        Subset { of, chosen: lowest(of, size) }
    }

    /// The subset with a given number among those of `size` squares of a set.
    pub(super) fn new(of: Bitboard<G>, size: usize, mut rank: u64) -> Self {
        let mut chosen = Bitboard::EMPTY;
        for piece in (0..size).rev() {
            let place = greatest(rank, piece + 1);
            rank -= binomial(place, piece + 1);
            let above = of & !lowest(of, place);
            chosen |= lowest(above, 1);
        }
        Subset { of, chosen }
    }

    /// The chosen squares.
    #[inline(always)]
    pub(super) fn chosen(&self) -> Bitboard<G> {
        self.chosen
    }

    /// Advances to the next subset; at the last one, returns `false` and changes nothing.
    ///
    /// The next number with as many bits (M. Beeler, R. W. Gosper, R. Schroeppel, *HAKMEM*, item
    /// 175, 1972): adding the lowest bit carries over the run of ones that starts there, and the
    /// bits the run has lost restart at the bottom. Squares outside the set count as ones to carry
    /// over.
    #[inline(always)]
    pub(super) fn advance(&mut self) -> bool {
        let moved = self.chosen.plus_lowest(!self.of) & self.of;
        if moved.is_empty() {
            return false;
        }
        let rest = self.chosen.len() - moved.len();
        self.chosen = moved | lowest(self.of, rest);
        true
    }
}

/// The lowest `count` squares of a set.
#[inline(always)]
fn lowest<G: Geometry>(mut of: Bitboard<G>, count: usize) -> Bitboard<G> {
    let all = of;
    for _ in 0..count {
        of = of.without_first();
    }
    all & !of
}
