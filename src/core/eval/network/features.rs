//! The input features of the network: the men in each window of the board, and the kings.
//!
//! A window is two squares wide and four rows high: eight squares, with 3^8 possible states of men.
//! Windows start at each pair of adjacent squares in every second row: 16 windows on a 10x10 board,
//! 21 on an 8x8 board on which all squares are used. The board is rotated so that the side to move
//! plays upwards.
//!
//! Each state of each window, and each king on each square, selects a row of numbers; the rows of a
//! position are summed.

use crate::board::{Bitboard, Bits, Geometry};
use crate::position::Pieces;

/// The number of states of a window.
pub const STATES: usize = 3_usize.pow(8);
/// The number of states of half a window: its two lower or its two upper rows.
pub const HALF_STATES: usize = 3_usize.pow(4);
/// The height of a window, in rows of the board.
const HEIGHT: usize = 4;

/// The indexes of a state's lower and upper half in the list of its window's half states, which
/// contains all lower halves, then all upper halves.
#[inline]
pub const fn halves(state: usize) -> [usize; 2] {
    [state % HALF_STATES, HALF_STATES + state / HALF_STATES]
}

/// The feature counts of a board.
pub trait Features: Geometry {
    /// The number of windows per row of windows.
    const ACROSS: usize = Self::ROW - 1;
    /// The number of windows per column of windows.
    const DOWN: usize = (Self::SIZE - HEIGHT) / 2 + 1;
    /// The total number of windows.
    const WINDOWS: usize = Self::ACROSS * Self::DOWN;
    /// The index of the first row for kings of the side to move; those of the opponent follow.
    const KINGS: usize = Self::WINDOWS * STATES;
    /// The number of rows.
    const ROWS: usize = Self::KINGS + 2 * Self::BITS;
}

impl<G: Geometry> Features for G {}

/// The feature counts of a board as a value, without a type parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureShape {
    /// The number of windows per row of windows.
    pub across: usize,
    /// The total number of windows.
    pub windows: usize,
    /// The number of squares for kings, including the ghost squares of the layout.
    pub king_squares: usize,
}

impl FeatureShape {
    /// The feature counts of a board.
    pub const fn of<G: Features>() -> Self {
        FeatureShape { across: G::ACROSS, windows: G::WINDOWS, king_squares: G::BITS }
    }

    /// The index of the first row for kings of the side to move; those of the opponent follow.
    pub const fn kings(self) -> usize {
        self.windows * STATES
    }

    /// The total number of half states of all windows.
    pub const fn halves(self) -> usize {
        2 * self.windows * HALF_STATES
    }

    /// The number of rows.
    pub const fn rows(self) -> usize {
        self.kings() + 2 * self.king_squares
    }
}

/// The maximum number of windows of any board.
pub const MAX_WINDOWS: usize = 32;

/// Calls `visit` with the row index of each king of a position.
#[inline(always)]
pub fn for_each_king_row<G: Geometry>(pieces: &Pieces<G>, mut visit: impl FnMut(usize)) {
    for (side, kings) in pieces.kings.into_iter().enumerate() {
        for square in kings.squares() {
            visit(G::KINGS + side * G::BITS + square.index());
        }
    }
}

/// The row index of each feature of a position. Not inlined, so that it is compiled once per board
/// rather than once per variant.
#[inline(never)]
pub fn feature_rows<G: Geometry>(pieces: &Pieces<G>) -> Vec<usize> {
    let windows = &window_rows(pieces)[..G::WINDOWS];
    let mut rows: Vec<_> = windows.iter().map(|&row| row as usize).collect();
    for_each_king_row(pieces, |row| rows.push(row));
    rows
}

/// The row index of each window. Uses 32-bit numbers and no lookup tables so that the compiler
/// vectorizes it.
#[inline(always)]
pub fn window_rows<G: Geometry>(pieces: &Pieces<G>) -> [u32; MAX_WINDOWS] {
    let [us, them] = pieces.men.map(windows::<G>);
    let mut rows = [0; MAX_WINDOWS];
    for window in 0..G::WINDOWS {
        rows[window] = (window * STATES) as u32 + state::<G>(us[window], them[window]);
    }
    rows
}

/// The men of one side in each window, shifted so that the first square of the window is bit 0.
#[inline(always)]
fn windows<G: Geometry>(men: Bitboard<G>) -> [u32; MAX_WINDOWS] {
    let mut windows = [0; MAX_WINDOWS];
    for down in 0..G::DOWN {
        let rows = (men.0 >> G::LAYOUT.index(2 * down, 0) as u32).low();
        for across in 0..G::ACROSS {
            // If four rows fit in 32 bits, a 32-bit shift is faster.
            let fits = const { G::LAYOUT.index(HEIGHT, 0) <= 32 };
            let window = if fits { rows as u32 >> across } else { (rows >> across) as u32 };
            windows[down * G::ACROSS + across] = window;
        }
    }
    windows
}

/// The state of a window, a ternary number less than [`STATES`]: the top row has the highest
/// digits, and within a row the right square has the higher digit.
#[inline(always)]
fn state<G: Geometry>(us: u32, them: u32) -> u32 {
    let [_, second, third, _] = const { places::<G>() };
    let left = const { bits(&places::<G>()) };
    let upper = const { 15 * bits(&[0, places::<G>()[2]]) };
    // The two digits of each row as a number from 0 to 8, shifted to the start of the row in the
    // layout; rows start at least five bits apart.
    let digits = |men: u32| (men & left) + 3 * (men >> 1 & left);
    let rows = digits(us) + 2 * digits(them);
    // Combines the first row with the second, and the third with the fourth.
    let pairs = 9 * (rows & upper) + (rows >> second & upper);
    81 * (pairs & 127) + (pairs >> third)
}

/// The bit offsets of the rows of a window from its first square.
const fn places<G: Geometry>() -> [usize; HEIGHT] {
    let layout = G::LAYOUT;
    let mut places = [0; HEIGHT];
    let mut row = 0;
    while row < HEIGHT {
        places[row] = layout.index(row, 0);
        row += 1;
    }
    places
}

/// A word with the given bits set.
const fn bits(places: &[usize]) -> u32 {
    let (mut bits, mut index) = (0, 0);
    while index < places.len() {
        bits |= 1 << places[index];
        index += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::{Board8, Board8Full, Board10, Board12};

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
            let row = window_rows(&pieces)[window] as usize;
            assert_eq!(row, window * STATES + expected, "window {window}");
        }
    }

    proptest! {
        #[test]
        fn states_are_ternary_numbers(numbers in prop::collection::vec(any::<(u8, bool)>(), 0..60)) {
            check::<Board8>(&numbers);
            check::<Board10>(&numbers);
            check::<Board12>(&numbers);
            check::<Board8Full>(&numbers);
        }
    }

    #[test]
    fn every_square_is_in_a_window() {
        let all = (0..Board10::WINDOWS).flat_map(squares::<Board10>);
        let all = all.fold(Bitboard::<Board10>::EMPTY, |all, square| all | Bitboard::of(square));
        assert_eq!((Board10::WINDOWS, all), (16, Bitboard::PLAYABLE));
    }
}
