//! The 8x8, 10x10 and 12x12 boards, and the layout of their playable squares in a machine word.
//!
//! On most boards the playable squares are the dark ones. A row of `w` dark squares takes `w` bits,
//! followed alternately by one and two ghost bits, so that the starts of successive rows are
//! alternately `w + 1` and `w + 2` bits apart:
//!
//! ```text
//!         0     1     2     3     4   [5]            bits of a 10x10 board; ghosts in brackets
//!      6     7     8     9    10   [11][12]
//!        13    14    15    16    17   [18]
//!     19    20    21    22    23   [24][25]
//! ```
//!
//! A step in a given direction then always has the same length in bits (on 10x10: north-east 6,
//! north-west 7, east 1, north 13), and a step off the board lands on a ghost bit or outside the
//! word. A 10x10 board takes 63 bits and fits in a `u64`; a 12x12 board takes 88 bits of a `u128`.
//!
//! Boards whose top left square is dark (Italian, Spanish) are mirrored: the layout is the same,
//! but the square numbers run from right to left within a row.
//!
//! On a board where all squares are playable (Turkish), every row is followed by one ghost bit: an
//! 8x8 board takes 71 bits of a `u128`, and a step to the left or right off the board lands on a
//! ghost bit.

use std::fmt::Debug;
use std::hash::Hash;

use super::{Bits, Grid, Square};
use Direction::*;

/// A direction as White sees the board: north is up, towards square 1.
///
/// An orthogonal step leads to the next playable square of the row or column: on boards where only
/// the dark squares are playable, it skips the light square in between. The rules determine which
/// directions the pieces use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Up and to the left.
    NorthWest = 0,
    /// Up and to the right.
    NorthEast = 1,
    /// Down and to the left.
    SouthWest = 2,
    /// Down and to the right.
    SouthEast = 3,
    /// Straight up.
    North = 4,
    /// To the left.
    West = 5,
    /// To the right.
    East = 6,
    /// Straight down.
    South = 7,
}

impl Direction {
    /// The four diagonals.
    pub const DIAGONAL: [Direction; 4] = [NorthWest, NorthEast, SouthWest, SouthEast];
    /// The four orthogonals.
    pub const ORTHOGONAL: [Direction; 4] = [North, West, East, South];
    /// The four diagonals, then the four orthogonals.
    pub const ALL: [Direction; 8] =
        [NorthWest, NorthEast, SouthWest, SouthEast, North, West, East, South];

    /// The index in [`Direction::ALL`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether a step goes to a lower bit index.
    #[inline(always)]
    pub const fn is_upward(self) -> bool {
        matches!(self, NorthWest | NorthEast | North | West)
    }

    /// Whether the direction is along a row or a column.
    pub const fn is_orthogonal(self) -> bool {
        matches!(self, North | West | East | South)
    }

    /// The change of row and column per step; rows are counted from the top.
    pub const fn step(self) -> (i16, i16) {
        match self {
            NorthWest => (-1, -1),
            NorthEast => (-1, 1),
            SouthWest => (1, -1),
            SouthEast => (1, 1),
            North => (-1, 0),
            West => (0, -1),
            East => (0, 1),
            South => (1, 0),
        }
    }

    /// The direction with left and right swapped.
    pub const fn mirrored(self) -> Direction {
        match self {
            NorthWest => NorthEast,
            NorthEast => NorthWest,
            SouthWest => SouthEast,
            SouthEast => SouthWest,
            West => East,
            East => West,
            North | South => self,
        }
    }

    /// The opposite direction.
    #[inline(always)]
    pub const fn opposite(self) -> Direction {
        // A table, because a `match` may compile to a jump.
        const OPPOSITE: [Direction; 8] =
            [SouthEast, SouthWest, NorthEast, NorthWest, South, East, West, North];
        OPPOSITE[self.index()]
    }
}

/// A board: its size, its layout in a word and the tables derived from them.
pub trait Geometry: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// The word that holds a bitboard.
    type Bits: Bits;

    /// The number of rows, and of columns, of the full board.
    const SIZE: usize;
    /// Whether the top left square is dark; square numbers then run from right to left in the
    /// layout.
    const MIRRORED: bool;
    /// Whether all squares are playable, not only the dark ones.
    const FULL: bool;
    /// The board as a run-time value.
    const GRID: Grid = Grid { size: Self::SIZE as u8, mirrored: Self::MIRRORED, full: Self::FULL };
    /// The layout of the playable squares in the word.
    const LAYOUT: Layout = Layout::new(Self::SIZE, Self::FULL);
    /// Playable squares per row.
    const ROW: usize = Self::LAYOUT.row;
    /// The number of playable squares.
    const SQUARES: usize = Self::SIZE * Self::ROW;
    /// The number of bits up to and including the last playable square, ghost bits included.
    const BITS: usize = Self::LAYOUT.bits();
    /// The bit offset of a step, indexed by [`Direction::index`].
    const STEPS: [i32; 8] = Self::LAYOUT.steps();
    /// All playable squares as a word.
    const PLAYABLE: Self::Bits;

    /// The squares from a square (exclusive) to the edge in each of the eight directions,
    /// indexed by [`Direction::index`] and [`Square::index`].
    fn rays() -> &'static [[Self::Bits; 128]; 8];

    /// The number of a square in notation: 1 is the first square of the top row as White sees it.
    fn number(square: Square) -> u8 {
        let (row, column) = Self::LAYOUT.row_and_column(square.index());
        let column = if Self::MIRRORED { Self::ROW - 1 - column } else { column };
        (row * Self::ROW + column + 1) as u8
    }

    /// The square with a given number; `None` outside `1..=SQUARES`.
    fn square(number: usize) -> Option<Square> {
        if number == 0 || number > Self::SQUARES {
            return None;
        }
        let (row, column) = ((number - 1) / Self::ROW, (number - 1) % Self::ROW);
        let column = if Self::MIRRORED { Self::ROW - 1 - column } else { column };
        Some(Square::new(Self::LAYOUT.index(row, column) as u32))
    }

    /// The row of a square, 0 at the top.
    fn row(square: Square) -> usize {
        Self::LAYOUT.row_and_column(square.index()).0
    }

    /// The column of a square on the full board as White sees it, `0..SIZE`.
    fn column(square: Square) -> usize {
        let column = Self::LAYOUT.place(square.index()).1;
        if Self::MIRRORED { Self::SIZE - 1 - column } else { column }
    }

    /// The playable square at a row and column of the full board; `None` if that square is not
    /// playable or is off the board.
    fn at(row: usize, column: usize) -> Option<Square> {
        if row >= Self::SIZE || column >= Self::SIZE {
            return None;
        }
        let column = if Self::MIRRORED { Self::SIZE - 1 - column } else { column };
        let place = if Self::FULL { column } else { column / 2 };
        let is_playable = Self::FULL || (row + column) % 2 == 1;
        is_playable.then(|| Square::new(Self::LAYOUT.index(row, place) as u32))
    }

    /// The next square in a direction, which must be on the board.
    #[inline(always)]
    fn next(square: Square, direction: Direction) -> Square {
        let index = square.index() as i32 + Self::STEPS[direction.index()];
        Square::new(index as u32)
    }

    /// The square that `square` becomes when the board is rotated by 180 degrees.
    fn rotated(square: Square) -> Square {
        Square::new((Self::BITS - 1 - square.index()) as u32)
    }
}

/// The layout arithmetic behind the constants of a [`Geometry`].
#[derive(Clone, Copy)]
pub struct Layout {
    /// Playable squares per row.
    row: usize,
    /// Rows.
    rows: usize,
    /// Whether all squares are playable.
    full: bool,
}

impl Layout {
    /// The layout of a board with `size` rows and columns; `full` if all squares are playable, not
    /// only the dark ones.
    pub const fn new(size: usize, full: bool) -> Self {
        Layout { row: if full { size } else { size / 2 }, rows: size, full }
    }

    /// The number of bits from the start of a row to the start of the second row below it.
    const fn two_rows(self) -> usize {
        2 * self.row + if self.full { 2 } else { 3 }
    }

    /// The number of bits up to and including the last playable square, ghost bits included.
    pub const fn bits(self) -> usize {
        self.index(self.rows - 1, self.row - 1) + 1
    }

    /// The bit index of the square at a row and a column, where columns count only playable
    /// squares.
    pub const fn index(self, row: usize, column: usize) -> usize {
        (row / 2) * self.two_rows() + (row % 2) * (self.row + 1) + column
    }

    /// The row and column of a bit index, where columns count only playable squares: the inverse of
    /// [`Layout::index`].
    pub const fn row_and_column(self, index: usize) -> (usize, usize) {
        let (pair, rest) = (index / self.two_rows(), index % self.two_rows());
        if rest > self.row { (2 * pair + 1, rest - self.row - 1) } else { (2 * pair, rest) }
    }

    /// The row and column of a bit index on the full board, before any mirroring.
    pub const fn place(self, index: usize) -> (usize, usize) {
        let (row, column) = self.row_and_column(index);
        (row, if self.full { column } else { 2 * column + 1 - row % 2 })
    }

    /// The bit offset of a step, indexed by [`Direction::index`]; upward is negative.
    pub const fn steps(self) -> [i32; 8] {
        let (row, two) = (self.row as i32, self.two_rows() as i32);
        let [left, right, down] =
            if self.full { [row, row + 2, row + 1] } else { [row + 1, row + 2, two] };
        // In the order of Direction::ALL.
        [-right, -left, left, right, -down, -1, 1, down]
    }

    /// All playable squares.
    pub const fn playable(self) -> u128 {
        let (mut squares, mut row) = (0, 0);
        while row < self.rows {
            squares |= ((1 << self.row) - 1) << self.index(row, 0);
            row += 1;
        }
        squares
    }

    /// The squares from `index` (exclusive) to the edge in a direction.
    pub const fn ray(self, index: usize, direction: Direction) -> u128 {
        let (playable, step) = (self.playable(), self.steps()[direction.index()]);
        if playable >> index & 1 == 0 {
            return 0;
        }
        let (mut ray, mut square) = (0, 1 << index);
        loop {
            square = if step < 0 { square >> -step } else { square << step };
            if square & playable == 0 {
                return ray;
            }
            ray |= square;
        }
    }
}

macro_rules! geometry {
    ($(#[$doc:meta])* $name:ident, $bits:ty, size $size:literal, mirrored $mirrored:literal,
     full $full:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $name;

        impl Geometry for $name {
            type Bits = $bits;
            const SIZE: usize = $size;
            const MIRRORED: bool = $mirrored;
            const FULL: bool = $full;
            const PLAYABLE: $bits = Self::LAYOUT.playable() as $bits;

            #[inline(always)]
            fn rays() -> &'static [[$bits; 128]; 8] {
                // A constant rather than a static, so that it is addressed directly and not through
                // the GOT.
                const RAYS: &[[$bits; 128]; 8] = &{
                    let layout = $name::LAYOUT;
                    let mut rays = [[0; 128]; 8];
                    let mut direction = 0;
                    while direction < 8 {
                        let mut index = 0;
                        while index < layout.bits() {
                            rays[direction][index] =
                                layout.ray(index, Direction::ALL[direction]) as $bits;
                            index += 1;
                        }
                        direction += 1;
                    }
                    rays
                };
                RAYS
            }
        }
    };
}

geometry!(
    /// 8x8: square 1 at b8, a dark corner at White's left.
    Board8, u64, size 8, mirrored false, full false
);
geometry!(
    /// 8x8 mirrored: square 1 at a8, a dark corner at White's right.
    Board8Mirrored, u64, size 8, mirrored true, full false
);
geometry!(
    /// The 10x10 board.
    Board10, u64, size 10, mirrored false, full false
);
geometry!(
    /// The 12x12 board.
    Board12, u128, size 12, mirrored false, full false
);
geometry!(
    /// 8x8 with all squares playable: square 1 at a8, square 64 at h1.
    Board8Full, u128, size 8, mirrored false, full true
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;

    #[test]
    fn opposites() {
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            assert_eq!(direction.index(), index);
            assert_ne!(direction.is_upward(), direction.opposite().is_upward());
            assert_eq!(direction.opposite().opposite(), direction);
        }
        assert_eq!(NorthWest.opposite(), SouthEast);
        assert_eq!(North.opposite(), South);
        assert_eq!(West.opposite(), East);
    }

    fn check<G: Geometry>() {
        assert_eq!(Bitboard::<G>::PLAYABLE.len(), G::SQUARES);
        for number in 1..=G::SQUARES {
            let square = G::square(number).unwrap();
            assert_eq!(G::number(square) as usize, number);
            assert_eq!(G::at(G::row(square), G::column(square)), Some(square));
            assert_eq!(G::number(G::rotated(square)) as usize, G::SQUARES + 1 - number);
            for direction in Direction::ALL {
                let ray = Bitboard::<G>(G::rays()[direction.index()][square.index()]);
                let steps: Vec<_> = ray.squares().map(|s| neighbours::<G>(square, s)).collect();
                assert!(steps.iter().all(|&(rows, columns)| match direction.index() {
                    0..4 => rows.abs() == columns.abs(),
                    4 | 7 => columns == 0 && (G::FULL || rows % 2 == 0),
                    _ => rows == 0 && (G::FULL || columns % 2 == 0),
                }));
            }
        }
        assert_eq!(G::square(0), None);
        assert_eq!(G::square(G::SQUARES + 1), None);
    }

    fn neighbours<G: Geometry>(from: Square, to: Square) -> (isize, isize) {
        (
            G::row(to) as isize - G::row(from) as isize,
            G::column(to) as isize - G::column(from) as isize,
        )
    }

    #[test]
    fn numbers_and_rays_agree_with_the_board() {
        check::<Board8>();
        check::<Board8Mirrored>();
        check::<Board10>();
        check::<Board12>();
        check::<Board8Full>();
    }

    #[test]
    fn known_squares() {
        assert_eq!(Board10::BITS, 63);
        assert_eq!(Board12::BITS, 88);
        assert_eq!((Board8Full::BITS, Board8Full::SQUARES), (71, 64));
        // a1 is the bottom left corner on 8x8: number 29. Mirrored, the corner is h1: number 32.
        assert_eq!(Board8::number(Board8::at(7, 0).unwrap()), 29);
        assert_eq!(Board8Mirrored::number(Board8Mirrored::at(7, 7).unwrap()), 32);
        assert_eq!(Board8Mirrored::number(Board8Mirrored::at(0, 0).unwrap()), 1);
    }
}
