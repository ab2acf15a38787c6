//! A position of a game, as a file holds it.

use std::marker::PhantomData;

use crate::board::{Bitboard, Geometry, Side};
use crate::position::Setup;
use crate::score::Score;

/// A position that a search has looked at.
///
/// In a file it takes three sets of squares, the lowest bit square 1, each in as few bytes as it needs
/// (7 on a board of 50 squares): the squares that are taken, those with a piece of Black, those with a
/// king. Then the score (`i16`), the ply (`u16`), and a byte of flags: 1 if Black is to move, 2 if White
/// wins the game, 4 if Black does, 8 if the position is aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample<G: Geometry> {
    /// The board, with the side to move.
    pub setup: Setup<G>,
    /// The score of the search for the side to move.
    pub score: Score,
    /// How many plies of the game came before.
    pub ply: u16,
    /// Who wins the game.
    pub winner: Option<Side>,
    /// Whether a move drawn by lot has left the game before: its end says nothing about the position.
    pub is_aside: bool,
}

/// Flags of a sample.
mod flag {
    pub(super) const BLACK_TO_MOVE: u8 = 1;
    pub(super) const WHITE_WINS: u8 = 2;
    pub(super) const BLACK_WINS: u8 = 4;
    pub(super) const ASIDE: u8 = 8;
}

impl<G: Geometry> Sample<G> {
    /// Bytes of a set of squares.
    const SET: usize = G::SQUARES.div_ceil(8);
    /// Bytes of a sample.
    pub const BYTES: usize = 3 * Self::SET + 5;

    /// Appends the sample to bytes.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let Setup { side, pieces: [[white_men, white_kings], [black_men, black_kings]] } =
            self.setup;
        let (white, black) = (white_men | white_kings, black_men | black_kings);
        for set in [white | black, black, white_kings | black_kings] {
            bytes.extend_from_slice(&word(set).to_le_bytes()[..Self::SET]);
        }
        bytes.extend_from_slice(&self.score.0.to_le_bytes());
        bytes.extend_from_slice(&self.ply.to_le_bytes());
        let to_move = if side == Side::Black { flag::BLACK_TO_MOVE } else { 0 };
        let winner = match self.winner {
            Some(Side::White) => flag::WHITE_WINS,
            Some(Side::Black) => flag::BLACK_WINS,
            None => 0,
        };
        let aside = if self.is_aside { flag::ASIDE } else { 0 };
        bytes.push(to_move | winner | aside);
    }

    /// The sample that [`Sample::BYTES`] bytes stand for; `None` for others, or if there is none.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(bytes, PhantomData::<G>);
        let [taken, black, kings] = [fields.set()?, fields.set()?, fields.set()?];
        let [score, ply] = [fields.take()?, fields.take()?];
        let [flags] = fields.take()?;
        if !fields.0.is_empty() || ((black | kings) & !taken).is_some() {
            return None;
        }
        let (side, winner) = sides(flags & !flag::ASIDE)?;
        let pieces = |of: Bitboard<G>| [of & !kings, of & kings];
        Some(Sample {
            setup: Setup { side, pieces: [pieces(taken & !black), pieces(black)] },
            score: Score(i16::from_le_bytes(score)),
            ply: u16::from_le_bytes(ply),
            winner,
            is_aside: flags & flag::ASIDE != 0,
        })
    }

    /// How many pieces are on the board.
    pub fn pieces(&self) -> usize {
        self.setup.pieces.iter().flatten().map(|pieces| pieces.len()).sum()
    }
}

/// Who is to move, and who wins; `None` for flags that no sample has.
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

/// A bit for each square of a set, the lowest for square 1.
fn word<G: Geometry>(set: Bitboard<G>) -> u128 {
    set.numbers().fold(0, |word, number| word | 1 << (number - 1))
}

/// Bytes that are taken from the front.
struct Fields<'a, G>(&'a [u8], PhantomData<G>);

impl<G: Geometry> Fields<'_, G> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*field)
    }

    fn set(&mut self) -> Option<Bitboard<G>> {
        let (field, rest) = self.0.split_at_checked(Sample::<G>::SET)?;
        self.0 = rest;
        let mut word = [0; size_of::<u128>()];
        word[..field.len()].copy_from_slice(field);
        let word = u128::from_le_bytes(word);
        let numbers = (0..u128::BITS as usize).filter(|bit| word >> bit & 1 == 1);
        let mut set = Bitboard::EMPTY;
        for bit in numbers {
            set |= Bitboard::of(G::square(bit + 1)?);
        }
        Some(set)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::{Board8, Board10, Board12, Kind};

    fn check<G: Geometry>(squares: &[(u8, u8)], flags: [bool; 2], numbers: (i16, u16), winner: u8) {
        let ([black, is_aside], (score, ply)) = (flags, numbers);
        let mut setup = Setup::<G>::empty(if black { Side::Black } else { Side::White });
        let mut free = Bitboard::<G>::PLAYABLE;
        for &(number, piece) in squares {
            let square = G::square(usize::from(number) % G::SQUARES + 1).unwrap();
            if free.has(square) {
                let side = Side::ALL[usize::from(piece % 2)];
                let kind = [Kind::Man, Kind::King][usize::from(piece / 2 % 2)];
                setup.put(side, kind, square);
                free &= !Bitboard::of(square);
            }
        }
        let winner = [None, Some(Side::White), Some(Side::Black)][usize::from(winner % 3)];
        let sample = Sample { setup, score: Score(score), ply, winner, is_aside };
        let mut bytes = Vec::new();
        sample.write(&mut bytes);
        assert_eq!(bytes.len(), Sample::<G>::BYTES);
        assert_eq!(Sample::read(&bytes), Some(sample));
        assert_eq!(Sample::<G>::read(&bytes[1..]), None);
    }

    proptest! {
        #[test]
        fn samples_are_read_as_written(
            squares in prop::collection::vec(any::<(u8, u8)>(), 0..60),
            flags: [bool; 2],
            numbers: (i16, u16),
            winner: u8,
        ) {
            check::<Board8>(&squares, flags, numbers, winner);
            check::<Board10>(&squares, flags, numbers, winner);
            check::<Board12>(&squares, flags, numbers, winner);
        }

        #[test]
        fn any_bytes_are_a_sample_or_none(bytes in prop::collection::vec(any::<u8>(), 26)) {
            if let Some(sample) = Sample::<Board10>::read(&bytes) {
                let mut same = Vec::new();
                sample.write(&mut same);
                prop_assert_eq!(same, bytes);
            }
        }
    }

    #[test]
    fn squares_are_bits_from_square_1_on() {
        let mut setup = Setup::<Board10>::empty(Side::Black);
        setup.put(Side::White, Kind::King, Board10::square(1).unwrap());
        setup.put(Side::Black, Kind::Man, Board10::square(10).unwrap());
        let sample =
            Sample { setup, score: Score(-2), ply: 259, winner: Some(Side::White), is_aside: true };
        let mut bytes = Vec::new();
        sample.write(&mut bytes);
        let sets = [[1, 2, 0, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0]].concat();
        assert_eq!(bytes, [sets, vec![0xfe, 0xff, 3, 1, 11]].concat());
    }
}
