//! One set of pieces among the squares that are left to it.

use crate::board::{Bitboard, Geometry};

use super::binomial::{binomial, greatest};

/// A subset of some squares that goes through all of its size, in the order of their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subset<G: Geometry> {
    /// The squares to choose from.
    of: Bitboard<G>,
    chosen: Bitboard<G>,
}

impl<G: Geometry> Subset<G> {
    /// No square of none.
    pub(super) const EMPTY: Self = Subset { of: Bitboard::EMPTY, chosen: Bitboard::EMPTY };

    /// The subset with number 0 among those of `size` squares of a set.
    #[inline(always)]
    pub(super) fn first(of: Bitboard<G>, size: usize) -> Self {
        Subset { of, chosen: lowest(of, size) }
    }

    /// The subset with a number among those of `size` squares of a set.
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

    /// The squares chosen.
    #[inline(always)]
    pub(super) fn chosen(&self) -> Bitboard<G> {
        self.chosen
    }

    /// Goes on to the next subset; `false`, and no change, at the last.
    ///
    /// The next number of as many bits (M. Beeler, R. W. Gosper, R. Schroeppel, *HAKMEM*, item 175,
    /// 1972): adding the lowest one moves the carry over the run of ones that begins there, and what the
    /// run has lost starts again at the bottom. Squares not to choose from count as ones to carry over.
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

/// The lowest squares of a set, as many as `count`.
#[inline(always)]
fn lowest<G: Geometry>(mut of: Bitboard<G>, count: usize) -> Bitboard<G> {
    let all = of;
    for _ in 0..count {
        of = of.without_first();
    }
    all & !of
}
