//! Binomial coefficients, and the combinatorial number system, which numbers the subsets of equal
//! size without gaps (D. H. Lehmer, *The machine tools of combinatorics*, 1964).

/// The size of the greatest set that subsets are taken of: the squares of the largest board.
pub(super) const MAX_SQUARES: usize = 72;
/// The greatest number of pieces of a bitbase position.
pub const MAX_PIECES: usize = 7;

/// `BINOMIALS[n][k]`: the number of subsets of `k` elements of a set of `n`.
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

/// The number of subsets of `k` elements of a set of `n`; 0 if `k` is greater than `n`.
#[inline(always)]
pub(super) fn binomial(n: usize, k: usize) -> u64 {
    BINOMIALS[n][k]
}

/// The greatest `n` for which `binomial(n, k)` is at most `rank`; `k` must be at least 1.
#[inline]
pub(super) fn greatest(rank: u64, k: usize) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_are_those_of_pascals_triangle() {
        assert_eq!(binomial(50, 6), 15_890_700);
        assert_eq!(binomial(45, 0), 1);
        assert_eq!(binomial(3, 4), 0);
        assert_eq!(binomial(72, 7), 1_473_109_704);
    }

    #[test]
    fn the_greatest_fits_and_the_next_does_not() {
        assert_eq!(greatest(71, 1), 71);
        for k in 2..=MAX_PIECES {
            for rank in (0..5_000).chain([1_000_000, 99_999_999]) {
                let n = greatest(rank, k);
                assert!(binomial(n, k) <= rank, "{rank} {k}");
                assert!(n == MAX_SQUARES - 1 || binomial(n + 1, k) > rank, "{rank} {k}");
            }
        }
    }
}
