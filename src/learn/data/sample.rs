//! Positions with their search results, and their encoding in files.

use crate::board::{Grid, Side, SquareSet};
use crate::position::Setup;
use crate::score::Score;

/// A searched position.
///
/// In a file, a sample starts with three sets of squares, with square 1 as the lowest bit, each in
/// as few bytes as the board needs (7 for 50 squares): all occupied squares, the squares of black
/// pieces, and the squares of kings. The score (`i16`) and the ply (`u16`) follow, then a byte of
/// flags: 1 if Black is to move, 2 if White won the game, 4 if Black won, 8 if the position is part
/// of a digression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The board and the side to move.
    pub setup: Setup,
    /// The search score for the side to move.
    pub score: Score,
    /// The number of plies played before this position.
    pub ply: u16,
    /// The winner of the game, `None` for a draw.
    pub winner: Option<Side>,
    /// Whether the position is part of a digression, which leaves the game with a random move. The
    /// result of the game does not apply to such a position.
    pub is_digression: bool,
}

/// Flags of a sample.
mod flag {
    pub(super) const BLACK_TO_MOVE: u8 = 1;
    pub(super) const WHITE_WINS: u8 = 2;
    pub(super) const BLACK_WINS: u8 = 4;
    pub(super) const DIGRESSION: u8 = 8;
}

/// The size of a set of squares in bytes.
fn set_bytes(grid: Grid) -> usize {
    usize::from(grid.squares()).div_ceil(8)
}

impl Sample {
    /// The size of a sample in bytes.
    pub fn bytes(grid: Grid) -> usize {
        3 * set_bytes(grid) + 5
    }

    /// Appends the sample to `bytes`.
    pub fn write(&self, grid: Grid, bytes: &mut Vec<u8>) {
        let Setup { side, pieces: [[white_men, white_kings], [black_men, black_kings]] } =
            self.setup;
        let (white, black) = (white_men | white_kings, black_men | black_kings);
        for set in [white | black, black, white_kings | black_kings] {
            bytes.extend_from_slice(&set.bits().to_le_bytes()[..set_bytes(grid)]);
        }
        bytes.extend_from_slice(&self.score.0.to_le_bytes());
        bytes.extend_from_slice(&self.ply.to_le_bytes());
        let to_move = if side == Side::Black { flag::BLACK_TO_MOVE } else { 0 };
        let winner = match self.winner {
            Some(Side::White) => flag::WHITE_WINS,
            Some(Side::Black) => flag::BLACK_WINS,
            None => 0,
        };
        let digression = if self.is_digression { flag::DIGRESSION } else { 0 };
        bytes.push(to_move | winner | digression);
    }

    /// Decodes a sample. Returns `None` if `bytes` is not a valid sample of [`Sample::bytes`]
    /// bytes.
    pub fn read(grid: Grid, bytes: &[u8]) -> Option<Self> {
        let mut fields = SampleFields { grid, rest: bytes };
        let [taken, black, kings] = [fields.set()?, fields.set()?, fields.set()?];
        let [score, ply] = [fields.take()?, fields.take()?];
        let [flags] = fields.take()?;
        if !fields.rest.is_empty() || ((black | kings) & !taken).is_some() {
            return None;
        }
        let (side, winner) = sides(flags & !flag::DIGRESSION)?;
        let pieces = |of: SquareSet| [of & !kings, of & kings];
        Some(Sample {
            setup: Setup { side, pieces: [pieces(taken & !black), pieces(black)] },
            score: Score(i16::from_le_bytes(score)),
            ply: u16::from_le_bytes(ply),
            winner,
            is_digression: flags & flag::DIGRESSION != 0,
        })
    }

    /// The number of pieces on the board.
    pub fn pieces(&self) -> usize {
        self.setup.pieces.iter().flatten().map(|pieces| pieces.len()).sum()
    }
}

/// The side to move and the winner; `None` for invalid flags.
fn sides(flags: u8) -> Option<(Side, Option<Side>)> {
    let to_move = if flags & flag::BLACK_TO_MOVE == 0 { Side::White } else { Side::Black };
    let winner = match flags & !flag::BLACK_TO_MOVE {
        0 => None,
        flag::WHITE_WINS => Some(Side::White),
        flag::BLACK_WINS => Some(Side::Black),
        _ => return None,
    };
    Some((to_move, winner))
}

/// Reads the fields of a sample in order.
struct SampleFields<'a> {
    grid: Grid,
    rest: &'a [u8],
}

impl SampleFields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (field, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*field)
    }

    /// Reads a set of squares; `None` if one of them is not on the board.
    fn set(&mut self) -> Option<SquareSet> {
        let (field, rest) = self.rest.split_at_checked(set_bytes(self.grid))?;
        self.rest = rest;
        let mut bits = [0; size_of::<u128>()];
        bits[..field.len()].copy_from_slice(field);
        let set = SquareSet::from_bits(u128::from_le_bytes(bits));
        (set & !self.grid.playable()).is_empty().then_some(set)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::Kind;

    const BOARD_8: Grid = Grid { size: 8, mirrored: false, full: false };
    const BOARD_10: Grid = Grid { size: 10, mirrored: false, full: false };
    const BOARD_12: Grid = Grid { size: 12, mirrored: false, full: false };

    fn check(grid: Grid, squares: &[(u8, u8)], flags: [bool; 2], numbers: (i16, u16), winner: u8) {
        let ([black, is_digression], (score, ply)) = (flags, numbers);
        let mut setup = Setup::empty(if black { Side::Black } else { Side::White });
        let mut free = grid.playable();
        for &(number, piece) in squares {
            let square = number % grid.squares() + 1;
            if free.has(square) {
                let side = Side::ALL[usize::from(piece % 2)];
                let kind = [Kind::Man, Kind::King][usize::from(piece / 2 % 2)];
                setup.put(side, kind, square);
                free &= !SquareSet::of(square);
            }
        }
        let winner = [None, Some(Side::White), Some(Side::Black)][usize::from(winner % 3)];
        let sample = Sample { setup, score: Score(score), ply, winner, is_digression };
        let mut bytes = Vec::new();
        sample.write(grid, &mut bytes);
        assert_eq!(bytes.len(), Sample::bytes(grid));
        assert_eq!(Sample::read(grid, &bytes), Some(sample));
        assert_eq!(Sample::read(grid, &bytes[1..]), None);
    }

    proptest! {
        #[test]
        fn samples_are_read_as_written(
            squares in prop::collection::vec(any::<(u8, u8)>(), 0..60),
            flags: [bool; 2],
            numbers: (i16, u16),
            winner: u8,
        ) {
            check(BOARD_8, &squares, flags, numbers, winner);
            check(BOARD_10, &squares, flags, numbers, winner);
            check(BOARD_12, &squares, flags, numbers, winner);
        }

        #[test]
        fn decoded_samples_encode_to_same_bytes(bytes in prop::collection::vec(any::<u8>(), 26)) {
            if let Some(sample) = Sample::read(BOARD_10, &bytes) {
                let mut same = Vec::new();
                sample.write(BOARD_10, &mut same);
                prop_assert_eq!(same, bytes);
            }
        }
    }

    #[test]
    fn square_1_is_the_lowest_bit() {
        let mut setup = Setup::empty(Side::Black);
        setup.put(Side::White, Kind::King, 1);
        setup.put(Side::Black, Kind::Man, 10);
        let sample = Sample {
            setup,
            score: Score(-2),
            ply: 259,
            winner: Some(Side::White),
            is_digression: true,
        };
        let mut bytes = Vec::new();
        sample.write(BOARD_10, &mut bytes);
        let sets = [[1, 2, 0, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0]].concat();
        assert_eq!(bytes, [sets, vec![0xfe, 0xff, 3, 1, 11]].concat());
    }
}
