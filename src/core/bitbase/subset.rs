//! Subsets of squares. The combinatorial number system numbers the subsets of equal size without
//! gaps (D. H. Lehmer, *The machine tools of combinatorics*, 1964).

use crate::board::{Bitboard, Geometry};

/// The number of squares of the largest board.
const MAX_SQUARES: usize = 72;
/// The maximum number of pieces of a bitbase position.
pub const MAX_PIECES: usize = 7;

/// `BINOMIALS[n][k]`: the number of `k`-element subsets of a set of `n` elements.
const BINOMIALS: &[[u64; MAX_PIECES + 1]; MAX_SQUARES + 1] = &{
    let mut table = [[0; MAX_PIECES + 1]; MAX_SQUARES + 1];
    let mut n = 0;
    while n <= MAX_SQUARES {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MAX_PIECES {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of `k`-element subsets of a set of `n` elements; 0 if `k` is greater than `n`.
#[inline(always)]
pub(super) fn binomial(n: usize, k: usize) -> u64 {
    BINOMIALS[n][k]
}

/// The greatest `n` for which `binomial(n, k)` is at most `rank`; `k` must be at least 1.
fn inverse_binomial(rank: u64, k: usize) -> usize {
    if k == 1 {
        return rank as usize;
    }
    let (mut low, mut high) = (k - 1, MAX_SQUARES);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if binomial(middle, k) <= rank {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// A subset of a set of squares. It can advance through all subsets of its size in the order of
/// their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subset<G: Geometry> {
    /// The squares to choose from.
    of: Bitboard<G>,
    chosen: Bitboard<G>,
}

impl<G: Geometry> Subset<G> {
    /// The empty subset of the empty set.
    pub(super) const EMPTY: Self = Subset { of: Bitboard::EMPTY, chosen: Bitboard::EMPTY };

    /// The first subset of `of` with `size` squares; its number is 0.
    #[inline(always)]
    pub(super) fn first(of: Bitboard<G>, size: usize) -> Self {
        Subset { of, chosen: lowest(of, size) }
    }

    /// The subset with number `rank` among the subsets of `of` with `size` squares.
    pub(super) fn new(of: Bitboard<G>, size: usize, mut rank: u64) -> Self {
        let mut chosen = Bitboard::EMPTY;
        for piece in (0..size).rev() {
            let place = inverse_binomial(rank, piece + 1);
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
    /// Computes the next number with the same number of bits (M. Beeler, R. W. Gosper, R.
    /// Schroeppel, *HAKMEM*, item 175, 1972): adding the lowest set bit carries through the run of
    /// ones that starts there, and the bits lost from the run are set again at the bottom. Squares
    /// outside the set count as ones, so that the carry passes over them.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_match_pascals_triangle() {
        assert_eq!(binomial(50, 6), 15_890_700);
        assert_eq!(binomial(45, 0), 1);
        assert_eq!(binomial(3, 4), 0);
        assert_eq!(binomial(72, 7), 1_473_109_704);
    }

    #[test]
    fn inverse_is_the_greatest_that_fits() {
        assert_eq!(inverse_binomial(71, 1), 71);
        for k in 2..=MAX_PIECES {
            for rank in (0..5_000).chain([1_000_000, 99_999_999]) {
                let n = inverse_binomial(rank, k);
                assert!(binomial(n, k) <= rank, "{rank} {k}");
                assert!(n == MAX_SQUARES - 1 || binomial(n + 1, k) > rank, "{rank} {k}");
            }
        }
    }
}
