//! Arbitrary arrangements of pieces, and their validation.

use std::fmt;

use crate::board::{Bitboard, Grid, Kind, Side, SquareSet};
use crate::rules::Rules;

use super::BitPosition;

/// An arrangement of pieces, valid or not, such as a notation parser produces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The side to move.
    pub side: Side,
    /// The pieces, indexed by [`Side::index`] and [`Kind::index`].
    pub pieces: [[SquareSet; 2]; 2],
}

impl Setup {
    /// An empty board.
    pub fn empty(side: Side) -> Self {
        Setup { side, pieces: [[SquareSet::EMPTY; 2]; 2] }
    }

    /// One side's pieces of a given kind.
    pub fn pieces(&self, side: Side, kind: Kind) -> SquareSet {
        self.pieces[side.index()][kind.index()]
    }

    /// Puts a piece on a square, in addition to any piece already there.
    pub fn put(&mut self, side: Side, kind: Kind, square: u8) {
        self.pieces[side.index()][kind.index()].insert(square);
    }

    /// The equivalent setup with White to move: if Black is to move, the board is rotated by 180
    /// degrees and the colours are swapped.
    pub fn with_white_to_move(self, grid: Grid) -> Self {
        if self.side == Side::White {
            return self;
        }
        let rotated = |set: SquareSet| {
            set.numbers().map(|square| grid.rotated(square)).collect::<SquareSet>()
        };
        let [white, black] = self.pieces.map(|kinds| kinds.map(rotated));
        Setup { side: Side::White, pieces: [black, white] }
    }

    fn side_pieces(&self, side: Side) -> SquareSet {
        self.pieces(side, Kind::Man) | self.pieces(side, Kind::King)
    }

    /// The squares that hold more than one piece.
    fn doubly_occupied(&self) -> SquareSet {
        let [[white_men, white_kings], [black_men, black_kings]] = self.pieces;
        (white_men & white_kings)
            | (black_men & black_kings)
            | (self.side_pieces(Side::White) & self.side_pieces(Side::Black))
    }

    /// Checks that the setup is a valid position on a board.
    ///
    /// # Errors
    ///
    /// The error lists all faults: a piece off the board, two pieces on a square, a man on its
    /// promotion row, or no pieces for the side that is not to move (the game would have ended
    /// before). The side to move may have no pieces: the game is then over.
    pub fn check(&self, grid: Grid) -> Result<(), SetupError> {
        let [white, black] = Side::ALL.map(|side| self.side_pieces(side));
        let outside = (white | black) & !grid.playable();
        let mut faults: Vec<_> =
            outside.numbers().map(|square| Fault::OffBoard { square }).collect();
        faults.extend(self.doubly_occupied().numbers().map(|square| Fault::TwoPieces { square }));
        for side in Side::ALL {
            let men = self.pieces(side, Kind::Man) & grid.promotion_row(side);
            faults.extend(men.numbers().map(|square| Fault::ManOnPromotionRow { side, square }));
        }
        if self.side_pieces(self.side.opponent()).is_empty() {
            faults.push(Fault::NoPieces { side: self.side.opponent() });
        }
        if faults.is_empty() { Ok(()) } else { Err(SetupError { faults }) }
    }

    /// The position; the setup must have passed [`Setup::check`].
    pub(crate) fn position<R: Rules>(&self, rules: R) -> BitPosition<R> {
        let kings = self.pieces(Side::White, Kind::King) | self.pieces(Side::Black, Kind::King);
        let sides = Side::ALL.map(|side| Bitboard::of_set(self.side_pieces(side)));
        BitPosition::from_parts(rules, sides, Bitboard::of_set(kings), self.side)
    }
}

impl<R: Rules> From<&BitPosition<R>> for Setup {
    fn from(position: &BitPosition<R>) -> Self {
        let of = |side| [position.men(side).to_set(), position.kings(side).to_set()];
        Setup { side: position.side(), pieces: Side::ALL.map(of) }
    }
}

/// A reason why a setup is not a valid position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// A piece on a square outside the board.
    OffBoard {
        /// The square number.
        square: u8,
    },
    /// More than one piece on a square.
    TwoPieces {
        /// The square number.
        square: u8,
    },
    /// A man on its promotion row.
    ManOnPromotionRow {
        /// The side of the man.
        side: Side,
        /// The square number.
        square: u8,
    },
    /// The side that is not to move has no piece.
    NoPieces {
        /// The side without a piece.
        side: Side,
    },
}

impl Fault {
    /// The number of the square with the fault; `None` if the fault concerns no particular square.
    pub fn square(&self) -> Option<u8> {
        match *self {
            Fault::OffBoard { square }
            | Fault::TwoPieces { square }
            | Fault::ManOnPromotionRow { square, .. } => Some(square),
            Fault::NoPieces { .. } => None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::OffBoard { square } => write!(f, "square {square} is not on the board"),
            Fault::TwoPieces { square } => write!(f, "two pieces on square {square}"),
            Fault::ManOnPromotionRow { side, square } => {
                write!(f, "a {} man on its promotion square {square}", side.name())
            }
            Fault::NoPieces { side } => {
                write!(f, "{}, which is not to move, has no piece", side.name())
            }
        }
    }
}

/// All faults of a setup.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", joined(faults))]
pub struct SetupError {
    /// The faults, at least one.
    pub faults: Vec<Fault>,
}

fn joined(faults: &[Fault]) -> String {
    let faults: Vec<_> = faults.iter().map(Fault::to_string).collect();
    faults.join("; ")
}
