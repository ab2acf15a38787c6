//! The index of a slice: numbers its positions without gaps, `0..len`.
//!
//! The men or kings of a side are a subset of the squares available to them, and a subset has a
//! number in the combinatorial number system. Men never stand on their promotion row, so positions
//! are first grouped by the number of the opponent's men on the row where ours are promoted: within
//! a group, every set of pieces has the same number of squares to choose from. The parts of a
//! position's number, from most to least significant:
//!
//! 1. the number of the opponent's men on the top row (the opponent's base row),
//! 2. the squares of the top row they occupy,
//! 3. the opponent's other men, on the rows in between,
//! 4. our men, on the free squares below the top row,
//! 5. our kings, on all free squares,
//! 6. the opponent's kings, on all squares still free.

use std::ops::Range;

use crate::board::{Bitboard, Geometry, Grid, Side};
use crate::position::{Pieces, promotion_row};

use super::slice::Slice;
use super::subset::{MAX_PIECES, Subset, binomial};

/// The number of positions that a thread processes at a time.
pub(super) const CHUNK: u64 = 1 << 14;

/// The number of sets of pieces that are numbered one after another: items 2 to 6 above.
const SETS: usize = 5;

/// The index of a slice, which maps its positions to the numbers `0..len` and back. It must be used
/// only with pieces and cursors on the board for which it was created.
#[derive(Clone, Debug)]
pub struct Index {
    slice: Slice,
    /// The blocks, indexed by the number of the opponent's men on the top row.
    blocks: [Block; MAX_PIECES + 1],
    len: u64,
}

/// The positions with the same number of the opponent's men on the top row.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// The number of the first position.
    start: u64,
    /// The number of pieces in each set.
    sizes: [usize; SETS],
    /// For each set, the number of positions that share one choice of squares for that set and for
    /// the sets before it.
    weights: [u64; SETS],
    /// The number of positions.
    len: u64,
}

impl Block {
    fn new(grid: Grid, slice: Slice, top_men: usize, start: u64) -> Self {
        let [us, them] = slice.men.map(usize::from);
        let [our_kings, their_kings] = slice.kings.map(usize::from);
        let Some(middle_men) = them.checked_sub(top_men) else {
            return Block { start, ..Block::default() };
        };
        let [row, squares] = [grid.row_length(), grid.squares()].map(usize::from);
        let choices = [
            binomial(row, top_men),
            binomial(squares - 2 * row, middle_men),
            binomial(squares - row - middle_men, us),
            binomial(squares - us - them, our_kings),
            binomial(squares - us - them - our_kings, their_kings),
        ];
        let mut weights = [1; SETS];
        for set in (1..SETS).rev() {
            weights[set - 1] = weights[set] * choices[set];
        }
        let sizes = [top_men, middle_men, us, our_kings, their_kings];
        Block { start, sizes, weights, len: weights[0] * choices[0] }
    }
}

impl Index {
    /// The index of a slice with at most [`MAX_PIECES`] pieces on a board.
    pub fn new(grid: Grid, slice: Slice) -> Self {
        let mut blocks = [Block::default(); MAX_PIECES + 1];
        let mut len = 0;
        for (top_men, block) in blocks.iter_mut().enumerate() {
            *block = Block::new(grid, slice, top_men, len);
            len += block.len;
        }
        Index { slice, blocks, len }
    }

    /// The slice.
    pub fn slice(&self) -> Slice {
        self.slice
    }

    /// The number of positions.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no positions; false for every slice.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of chunks.
    pub(super) fn chunks(&self) -> usize {
        self.len.div_ceil(CHUNK) as usize
    }

    /// The position numbers of a chunk.
    pub(super) fn chunk(&self, chunk: usize) -> Range<u64> {
        let start = chunk as u64 * CHUNK;
        start..self.len.min(start + CHUNK)
    }

    /// The number of a position of the slice.
    #[inline(never)]
    pub fn number<G: Geometry>(&self, pieces: &Pieces<G>) -> u64 {
        self.with_men(pieces.men).number(pieces.kings)
    }

    /// The positions with the given men.
    #[inline(always)]
    pub(super) fn with_men<G: Geometry>(&self, men: [Bitboard<G>; 2]) -> MenPlacement<'_, G> {
        let [us, them] = men;
        let on_top = them & top::<G>();
        let block = &self.blocks[on_top.len()];
        let mut start = block.start;
        let mut free = Bitboard::PLAYABLE;
        let sets = [on_top, them & !on_top, us].into_iter().zip(regions::<G>());
        for ((chosen, region), weight) in sets.zip(block.weights) {
            start += rank(chosen, free & region) * weight;
            free &= !chosen;
        }
        MenPlacement { block, start, free }
    }

    /// The position with a given number, which must be less than [`Index::len`].
    pub fn pieces<G: Geometry>(&self, number: u64) -> Pieces<G> {
        self.cursor(number).pieces()
    }

    /// A cursor over the positions, starting at a given number.
    pub fn cursor<G: Geometry>(&self, number: u64) -> Cursor<'_, G> {
        Cursor::new(self, number)
    }
}

/// The positions of a slice with the same men, whose numbers are consecutive.
#[derive(Clone, Copy, Debug)]
pub(super) struct MenPlacement<'a, G: Geometry> {
    block: &'a Block,
    /// The number of the first position.
    start: u64,
    /// The squares without a man.
    free: Bitboard<G>,
}

impl<G: Geometry> MenPlacement<'_, G> {
    /// The number of the position with these kings.
    #[inline(always)]
    pub(super) fn number(&self, kings: [Bitboard<G>; 2]) -> u64 {
        let [us, them] = kings;
        let [.., our_weight, _] = self.block.weights;
        self.start + rank(us, self.free) * our_weight + rank(them, self.free & !us)
    }
}

/// The promotion row of our men.
#[inline(always)]
fn top<G: Geometry>() -> Bitboard<G> {
    promotion_row::<G>(Side::White)
}

/// The squares that each set may occupy.
#[inline(always)]
fn regions<G: Geometry>() -> [Bitboard<G>; SETS] {
    let all = Bitboard::PLAYABLE;
    let below = all & !top::<G>();
    let middle = below & !promotion_row::<G>(Side::Black);
    [top::<G>(), middle, below, all, all]
}

/// The rank of `subset` among all subsets of `of` with the same size.
#[inline(always)]
fn rank<G: Geometry>(subset: Bitboard<G>, of: Bitboard<G>) -> u64 {
    let below = |square| (of & Bitboard::before(square)).len();
    subset.squares().enumerate().map(|(place, square)| binomial(below(square), place + 1)).sum()
}

/// A cursor over the positions of a slice, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Cursor<'a, G: Geometry> {
    index: &'a Index,
    number: u64,
    /// The number of the opponent's men on the top row.
    block: usize,
    sets: [Subset<G>; SETS],
}

impl<'a, G: Geometry> Cursor<'a, G> {
    fn new(index: &'a Index, number: u64) -> Self {
        let contains = |block: &Block| number < block.start + block.len;
        let block = index.blocks.iter().position(contains).unwrap_or_default();
        let mut cursor = Cursor { index, number, block, sets: [Subset::EMPTY; SETS] };
        let Block { start, weights, sizes, .. } = index.blocks[block];
        let mut rest = number - start;
        for set in 0..SETS {
            cursor.sets[set] = Subset::new(cursor.free(set), sizes[set], rest / weights[set]);
            rest %= weights[set];
        }
        cursor
    }

    /// The number of the current position.
    #[inline(always)]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The current position.
    #[inline(always)]
    pub fn pieces(&self) -> Pieces<G> {
        let [top, middle, us, our_kings, their_kings] = self.sets.each_ref().map(Subset::chosen);
        Pieces { men: [us, top | middle], kings: [our_kings, their_kings] }
    }

    /// Advances to the position with a given number, which must not be less than the current
    /// number.
    #[inline(always)]
    pub(super) fn advance_to(&mut self, number: u64) {
        /// The number of single steps that take about as long as decoding a position number.
        const MAX_STEPS: u64 = 32;
        if number - self.number > MAX_STEPS {
            *self = Cursor::new(self.index, number);
        }
        while self.number < number {
            self.advance_inlined();
        }
    }

    /// Advances to the next position; there must be one.
    #[inline(never)]
    pub fn advance(&mut self) {
        self.advance_inlined();
    }

    /// Like [`Cursor::advance`], but inlined into the inner loops of the solver.
    #[inline(always)]
    pub(super) fn advance_inlined(&mut self) {
        self.number += 1;
        let block = &self.index.blocks[self.block];
        if self.number == block.start + block.len {
            if self.number < self.index.len {
                *self = Cursor::new(self.index, self.number);
            }
            return;
        }
        // As in an odometer, the sets after the one that advances are reset.
        let advanced = (0..SETS).rev().find(|&set| self.sets[set].advance()).unwrap_or_default();
        for set in advanced + 1..SETS {
            self.sets[set] = Subset::first(self.free(set), block.sizes[set]);
        }
    }

    /// The squares left for a set by the sets before it.
    #[inline(always)]
    fn free(&self, set: usize) -> Bitboard<G> {
        let taken = self.sets[..set].iter().fold(Bitboard::EMPTY, |all, set| all | set.chosen());
        regions::<G>()[set] & !taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board8, Board8Full, Board8Mirrored, Board10, Board12};

    /// Checks every position of the slices with `pieces` pieces: its number can be decoded and
    /// encoded again, the cursor reaches it in order, and no piece is on a forbidden square.
    fn check<G: Geometry>(pieces: usize) {
        for slice in Slice::all(pieces) {
            let index = Index::new(G::GRID, slice);
            let mut cursor = index.cursor::<G>(0);
            for number in 0..index.len() {
                let pieces = cursor.pieces();
                assert_eq!((cursor.number(), index.number(&pieces)), (number, number), "{slice}");
                assert_eq!(Slice::of(&pieces), slice, "{slice} {number}");
                let wrong = pieces.men[0] & top::<G>()
                    | pieces.men[1] & promotion_row::<G>(Side::Black)
                    | pieces.occupied() & !Bitboard::PLAYABLE;
                assert!(wrong.is_empty(), "{slice} {number}");
                assert_eq!(pieces.occupied().len(), slice.pieces(), "{slice} {number}");
                if number % 97 == 0 {
                    assert_eq!(index.pieces(number), pieces, "{slice} {number}");
                }
                cursor.advance();
            }
        }
    }

    #[test]
    fn numbers_are_a_bijection() {
        check::<Board10>(2);
        check::<Board10>(3);
        check::<Board8>(3);
        check::<Board8Mirrored>(3);
        check::<Board12>(2);
        check::<Board8Full>(3);
    }

    #[test]
    fn counts_positions_by_pieces() {
        let lens = |pieces| {
            let all = Slice::all(pieces).into_iter();
            all.map(|slice| Index::new(Board10::GRID, slice).len()).sum::<u64>()
        };
        let sums = [2, 3, 4, 5, 6].map(lens);
        assert_eq!(sums[..4], [8_845, 806_300, 41_971_200, 1_570_600_750]);
    }
}
