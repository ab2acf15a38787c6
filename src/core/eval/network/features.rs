//! The input features of the network: the men in each window of the board, and the kings.
//!
//! A window is two squares wide and four rows high: eight squares, 3^8 states of men. There is one
//! for each pair of neighbouring columns of squares and every second row, 16 on a 10x10 board. The
//! board is rotated so that the side to move plays up.
//!
//! Each state of each window, and each king on each square, selects a row of numbers; the rows of a
//! position are summed.

use crate::board::{Bitboard, Bits, Geometry, Layout};
use crate::position::Pieces;

/// States of a window.
pub const STATES: usize = 3_usize.pow(8);
/// The height of a window, in rows of the board.
const HEIGHT: usize = 4;

/// The features of a board.
pub trait Features: Geometry {
    /// Windows per row of windows.
    const ACROSS: usize = Self::ROW - 1;
    /// Windows per column of windows.
    const DOWN: usize = (Self::SIZE - HEIGHT) / 2 + 1;
    /// Windows in all.
    const WINDOWS: usize = Self::ACROSS * Self::DOWN;
    /// The index of the first row for kings of the side to move; those of the opponent follow.
    const KINGS: usize = Self::WINDOWS * STATES;
    /// The number of rows.
    const ROWS: usize = Self::KINGS + 2 * Self::BITS;
}

impl<G: Geometry> Features for G {}

/// The number of features of a board, as a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Windows.
    pub windows: usize,
    /// Squares a king can be on, the ghost squares of the layout included.
    pub king_squares: usize,
}

impl Shape {
    /// The features of a board.
    pub const fn of<G: Features>() -> Self {
        Shape { windows: G::WINDOWS, king_squares: G::BITS }
    }

    /// The index of the first row for kings of the side to move; those of the opponent follow.
    pub const fn kings(self) -> usize {
        self.windows * STATES
    }

    /// The number of rows.
    pub const fn rows(self) -> usize {
        self.kings() + 2 * self.king_squares
    }
}

/// Calls `visit` with the index of each row of a position.
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

/// The state of the men in a window, less than [`STATES`].
#[inline(always)]
pub fn state<G: Geometry>(pieces: &Pieces<G>, window: usize) -> usize {
    let [us, them] = pieces.men.map(|men| usize::from(TERNARY[men_in(men, window)]));
    us + 2 * them
}

/// The men of one side in a window as eight bits, the top row highest.
#[inline(always)]
fn men_in<G: Geometry>(men: Bitboard<G>, window: usize) -> usize {
    let (row, column) = (2 * (window / G::ACROSS), window % G::ACROSS);
    let layout = const { Layout::new(G::SIZE) };
    let start = layout.index(row, column);
    let bits = (men.0 >> start as u32).low();
    if G::SIZE >= 10 {
        // One multiplication moves each row's pair of bits into place. Its other products end up
        // below, too small to carry, or overflow. On 8x8 the rows are too close together for it.
        let (mask, factor) = const { (mask(places::<G>()), factor(places::<G>())) };
        return ((bits & mask).wrapping_mul(factor) >> 56) as usize;
    }
    let start = const { places::<G>() };
    let pair = |row: usize| (bits >> start[row] & 3) << (2 * (HEIGHT - 1 - row));
    (pair(0) | pair(1) | pair(2) | pair(3)) as usize
}

/// Where the rows of a window begin, in bits from its first square.
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

/// The mask of a window's squares.
const fn mask(places: [usize; HEIGHT]) -> u64 {
    let (mut mask, mut row) = (0, 0);
    while row < HEIGHT {
        mask |= 3 << places[row];
        row += 1;
    }
    mask
}

/// The factor that moves the first row to the highest bits, the next one below it, and so on.
const fn factor(places: [usize; HEIGHT]) -> u64 {
    let (mut factor, mut row) = (0, 0);
    while row < HEIGHT {
        factor |= 1 << (62 - 2 * row - places[row]);
        row += 1;
    }
    factor
}

/// Eight bits reinterpreted as base-3 digits.
const TERNARY: &[u16; 256] = &{
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
