//! The eight directions on the board.

/// A direction as White sees the board: north is up, towards square 1.
///
/// An orthogonal step leads to the next playable square of the row or column: it skips the light
/// square in between on boards of dark squares. Which directions pieces use is up to the rules.
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

use Direction::*;

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

    /// The direction in rows and columns, rows counted from the top.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
