//! Boards as run-time values, and the coordinates of their numbered squares.

use super::{Direction, Side, SquareSet};

/// A board whose squares are identified by number, 1 at the top left as White sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    /// The number of rows, and of columns, of the full board: 8, 10 or 12.
    pub size: u8,
    /// Whether the top left square is dark.
    pub mirrored: bool,
    /// Whether all squares are playable, not only the dark ones.
    pub full: bool,
}

impl Grid {
    /// Playable squares per row.
    pub const fn row_length(self) -> u8 {
        if self.full { self.size } else { self.size / 2 }
    }

    /// The number of playable squares.
    pub const fn squares(self) -> u8 {
        self.size * self.row_length()
    }

    /// All playable squares.
    pub const fn playable(self) -> SquareSet {
        SquareSet::up_to(self.squares())
    }

    /// Whether a square is on the board.
    pub const fn has(self, square: u8) -> bool {
        1 <= square && square <= self.squares()
    }

    /// The row of a square, 0 at the top.
    pub const fn row(self, square: u8) -> u8 {
        (square - 1) / self.row_length()
    }

    /// The column of a square on the full board as White sees it, `0..size`.
    pub const fn column(self, square: u8) -> u8 {
        if self.full {
            return (square - 1) % self.size;
        }
        let is_shifted = self.row(square).is_multiple_of(2) != self.mirrored;
        (square - 1) % self.row_length() * 2 + is_shifted as u8
    }

    /// Whether a playable square is light when the board is chequered.
    pub const fn is_light(self, square: u8) -> bool {
        self.full && (self.row(square) + self.column(square)).is_multiple_of(2)
    }

    /// The playable square at a row and column of the full board; `None` if that square is not
    /// playable or is off the board.
    pub const fn at(self, row: u8, column: u8) -> Option<u8> {
        if row >= self.size || column >= self.size {
            return None;
        }
        let place = if self.full { column } else { column / 2 };
        let square = row * self.row_length() + place + 1;
        if self.column(square) == column { Some(square) } else { None }
    }

    /// The square that `square` becomes when the board is rotated by 180 degrees.
    pub const fn rotated(self, square: u8) -> u8 {
        self.squares() + 1 - square
    }

    /// The promotion row of a side.
    pub fn promotion_row(self, side: Side) -> SquareSet {
        let row = SquareSet::up_to(self.row_length());
        match side {
            Side::White => row,
            Side::Black => SquareSet::from_bits(row.bits() << (self.squares() - self.row_length())),
        }
    }

    /// The squares from `square` (exclusive) to the edge in a direction, nearest first.
    pub fn ray(self, square: u8, direction: Direction) -> impl Iterator<Item = u8> {
        let stride = if direction.is_orthogonal() && !self.full { 2 } else { 1 };
        let (rows, columns) = direction.step();
        let (rows, columns) = (stride * rows, stride * columns);
        let (row, column) = (i16::from(self.row(square)), i16::from(self.column(square)));
        (1..i16::from(self.size)).map_while(move |step| {
            let row = u8::try_from(row + step * rows).ok()?;
            self.at(row, u8::try_from(column + step * columns).ok()?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Board8, Board8Full, Board8Mirrored, Board10, Board12, Geometry};

    fn check<G: Geometry>() {
        let grid = G::GRID;
        assert_eq!(usize::from(grid.squares()), G::SQUARES);
        assert_eq!(Bitboard::<G>::PLAYABLE.to_set(), grid.playable());
        assert_eq!(Bitboard::<G>::of_set(grid.playable()), Bitboard::PLAYABLE);
        for number in 1..=grid.squares() {
            let square = G::square(number.into()).unwrap();
            let set = SquareSet::of(number);
            assert_eq!(Bitboard::<G>::of(square).to_set(), set);
            assert_eq!(Bitboard::<G>::of_set(set), Bitboard::of(square));
            assert_eq!(usize::from(grid.row(number)), G::row(square));
            assert_eq!(usize::from(grid.column(number)), G::column(square));
            assert_eq!(grid.at(grid.row(number), grid.column(number)), Some(number));
            assert_eq!(grid.rotated(number), G::number(G::rotated(square)));
            for direction in Direction::ALL {
                let ray: SquareSet = grid.ray(number, direction).collect();
                let mirrored = if G::MIRRORED { direction.mirrored() } else { direction };
                assert_eq!(ray, Bitboard::<G>::ray(square, mirrored).to_set(), "{direction:?}");
            }
        }
    }

    #[test]
    fn grid_agrees_with_geometry() {
        check::<Board8>();
        check::<Board8Mirrored>();
        check::<Board10>();
        check::<Board12>();
        check::<Board8Full>();
    }

    #[test]
    fn light_squares_have_no_number() {
        let grid = Board10::GRID;
        assert_eq!(
            (grid.at(0, 0), grid.at(0, 1), grid.at(9, 0), grid.at(10, 1)),
            (None, Some(1), Some(46), None)
        );
        assert_eq!(Board8Mirrored::GRID.at(0, 0), Some(1));
        assert_eq!([0, 1].map(|column| Board8Full::GRID.at(0, column)), [Some(1), Some(2)]);
        assert!(!grid.has(0) && grid.has(50) && !grid.has(51));
    }
}
