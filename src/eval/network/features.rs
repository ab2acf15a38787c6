//! What the network sees of a position: for each window of the board how its men stand, and where the
//! kings are.
//!
//! A window is two squares wide and four rows high: eight squares, 3^8 states of men. There is one for
//! each pair of neighbouring columns of squares and every second row to begin at, 16 on a board of 10x10.
//! The board is turned so that the side to move plays up.
//!
//! Each state of each window, and each king on each square, is a row of numbers; those of a position are
//! added up.

use crate::board::{Bitboard, Bits, Geometry, Layout};
use crate::position::Pieces;

/// States of a window.
pub const STATES: usize = 3_usize.pow(8);
/// Rows of the board in a window.
const HEIGHT: usize = 4;

/// The features of a board.
pub trait Features: Geometry {
    /// Windows side by side.
    const ACROSS: usize = Self::ROW - 1;
    /// Windows one above the other.
    const DOWN: usize = (Self::SIZE - HEIGHT) / 2 + 1;
    /// All windows.
    const WINDOWS: usize = Self::ACROSS * Self::DOWN;
    /// The number of the first row for kings of the side to move; those of the opponent come after.
    const KINGS: usize = Self::WINDOWS * STATES;
    /// How many rows there are.
    const ROWS: usize = Self::KINGS + 2 * Self::BITS;
}

impl<G: Geometry> Features for G {}

/// Calls `visit` with the number of each row of a position.
#[inline(always)]
pub fn each_row<G: Geometry>(pieces: &Pieces<G>, mut visit: impl FnMut(usize)) {
    for window in 0..G::WINDOWS {
        visit(window * STATES + state(pieces, window));
    }
    for (side, kings) in pieces.kings.into_iter().enumerate() {
        for square in kings.squares() {
            visit(G::KINGS + side * G::BITS + square.index());
        }
    }
}

/// The state of the men in a window, below [`STATES`].
#[inline(always)]
pub fn state<G: Geometry>(pieces: &Pieces<G>, window: usize) -> usize {
    let [us, them] = pieces.men.map(|men| usize::from(TERNARY[men_in(men, window)]));
    us + 2 * them
}

/// The men of a window as a number of eight bits, those of the top row highest.
#[inline(always)]
fn men_in<G: Geometry>(men: Bitboard<G>, window: usize) -> usize {
    let (row, column) = (2 * (window / G::ACROSS), window % G::ACROSS);
    let layout = const { Layout::new(G::SIZE) };
    let start = layout.index(row, column);
    let bits = (men.0 >> start as u32).low();
    if G::SIZE >= 10 {
        // One multiplication moves each row's pair of bits to its place; what else it makes ends below,
        // too little to carry, or above. Rows of 8x8 are too near each other for it.
        let (mask, factor) = const { (mask(places::<G>()), factor(places::<G>())) };
        return ((bits & mask).wrapping_mul(factor) >> 56) as usize;
    }
    let start = const { places::<G>() };
    let pair = |row: usize| (bits >> start[row] & 3) << (2 * (HEIGHT - 1 - row));
    (pair(0) | pair(1) | pair(2) | pair(3)) as usize
}

/// Where the rows of a window begin, in bits after its first.
const fn places<G: Geometry>() -> [usize; HEIGHT] {
    let layout = Layout::new(G::SIZE);
    let mut places = [0; HEIGHT];
    let mut row = 0;
    while row < HEIGHT {
        places[row] = layout.index(row, 0);
        row += 1;
    }
    places
}

/// The squares of a window.
const fn mask(places: [usize; HEIGHT]) -> u64 {
    let (mut mask, mut row) = (0, 0);
    while row < HEIGHT {
        mask |= 3 << places[row];
        row += 1;
    }
    mask
}

/// What moves the first row to the highest bits, the next below, and so on.
const fn factor(places: [usize; HEIGHT]) -> u64 {
    let (mut factor, mut row) = (0, 0);
    while row < HEIGHT {
        factor |= 1 << (62 - 2 * row - places[row]);
        row += 1;
    }
    factor
}

/// Eight bits as digits of base 3.
static TERNARY: [u16; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < table.len() {
        let (mut bit, mut digit) = (0, 1);
        while bit < 8 {
            if bits >> bit & 1 == 1 {
                table[bits] += digit;
            }
            digit *= 3;
            bit += 1;
        }
        bits += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::{Board8, Board10, Board12};

    /// The squares of a window, top row first.
    fn squares<G: Geometry>(window: usize) -> Vec<crate::board::Square> {
        let (top, left) = (2 * (window / G::ACROSS), window % G::ACROSS);
        let square = |row, column| G::square(row * G::ROW + column + 1).unwrap();
        let rows = (top..top + HEIGHT).rev();
        rows.flat_map(|row| [square(row, left), square(row, left + 1)]).collect()
    }

    fn check<G: Geometry>(numbers: &[(u8, bool)]) {
        let mut men = [Bitboard::<G>::EMPTY; 2];
        for &(number, side) in numbers {
            let square = Bitboard::of(G::square(usize::from(number) % G::SQUARES + 1).unwrap());
            men[usize::from(side)] |= square;
            men[usize::from(!side)] &= !square;
        }
        let pieces = Pieces { men, ..Pieces::NONE };
        for window in 0..G::WINDOWS {
            let digit =
                |square| usize::from(men[0].has(square)) + 2 * usize::from(men[1].has(square));
            let digits =
                squares::<G>(window).into_iter().zip((0..8).map(|place| 3_usize.pow(place)));
            let expected: usize = digits.map(|(square, weight)| digit(square) * weight).sum();
            assert_eq!(state(&pieces, window), expected, "window {window}");
        }
    }

    proptest! {
        #[test]
        fn states_are_ternary_numbers(numbers in prop::collection::vec(any::<(u8, bool)>(), 0..60)) {
            check::<Board8>(&numbers);
            check::<Board10>(&numbers);
            check::<Board12>(&numbers);
        }
    }

    #[test]
    fn every_square_is_in_a_window() {
        let all = (0..Board10::WINDOWS).flat_map(squares::<Board10>);
        let all = all.fold(Bitboard::<Board10>::EMPTY, |all, square| all | Bitboard::of(square));
        assert_eq!((Board10::WINDOWS, all), (16, Bitboard::PLAYABLE));
    }
}
