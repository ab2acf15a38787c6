//! A board that may hold any faults, and the check that makes it a position.

use std::fmt;

use crate::board::{Bitboard, Geometry, Kind, Side, Square};
use crate::rules::Rules;

use super::{Position, promotion_row};

/// Any arrangement of pieces, right or wrong: what a reader of notation fills in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup<G: Geometry> {
    /// The side to move.
    pub side: Side,
    /// The pieces, by [`Side::index`] and [`Kind::index`].
    pub pieces: [[Bitboard<G>; 2]; 2],
}

impl<G: Geometry> Setup<G> {
    /// An empty board.
    pub fn empty(side: Side) -> Self {
        Setup { side, pieces: [[Bitboard::EMPTY; 2]; 2] }
    }

    /// The pieces of a side and kind.
    pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard<G> {
        self.pieces[side.index()][kind.index()]
    }

    /// Puts a piece on a square, beside whatever stands there.
    pub fn put(&mut self, side: Side, kind: Kind, square: Square) {
        self.pieces[side.index()][kind.index()] |= Bitboard::of(square);
    }

    fn side_pieces(&self, side: Side) -> Bitboard<G> {
        self.pieces(side, Kind::Man) | self.pieces(side, Kind::King)
    }

    /// The squares that hold more than one piece.
    fn crowded(&self) -> Bitboard<G> {
        let [[white_men, white_kings], [black_men, black_kings]] = self.pieces;
        (white_men & white_kings)
            | (black_men & black_kings)
            | (self.side_pieces(Side::White) & self.side_pieces(Side::Black))
    }

    /// The position, or everything that is wrong with it.
    ///
    /// # Errors
    ///
    /// A square holds two pieces, a man stands on the row where it would be a king, or the side
    /// that is not to move has no piece (the game would have ended before). The side to move may be
    /// without a piece: that is a finished game.
    pub fn position<R: Rules<Geometry = G>>(&self) -> Result<Position<R>, SetupError> {
        let mut faults: Vec<_> =
            self.crowded().numbers().map(|square| Fault::TwoPieces { square }).collect();
        for side in Side::ALL {
            let men = self.pieces(side, Kind::Man) & promotion_row::<R>(side);
            faults.extend(men.numbers().map(|square| Fault::ManOnPromotionRow { side, square }));
        }
        if self.side_pieces(self.side.opponent()).is_empty() {
            faults.push(Fault::NoPieces { side: self.side.opponent() });
        }
        if !faults.is_empty() {
            return Err(SetupError { faults });
        }
        let kings = self.pieces(Side::White, Kind::King) | self.pieces(Side::Black, Kind::King);
        let sides = Side::ALL.map(|side| self.side_pieces(side));
        Ok(Position::from_parts(sides, kings, self.side))
    }
}

impl<R: Rules> From<&Position<R>> for Setup<R::Geometry> {
    fn from(position: &Position<R>) -> Self {
        let pieces = Side::ALL.map(|side| [position.men(side), position.kings(side)]);
        Setup { side: position.side(), pieces }
    }
}

/// Something that makes a board no position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// More than one piece on a square.
    TwoPieces {
        /// The square's number.
        square: u8,
    },
    /// A man on the row where it would be a king.
    ManOnPromotionRow {
        /// Whose man.
        side: Side,
        /// The square's number.
        square: u8,
    },
    /// The side that is not to move has no piece.
    NoPieces {
        /// Which side.
        side: Side,
    },
}

impl Fault {
    /// The number of the square where it is, `None` if it is nowhere in particular.
    pub fn square(&self) -> Option<u8> {
        match *self {
            Fault::TwoPieces { square } | Fault::ManOnPromotionRow { square, .. } => Some(square),
            Fault::NoPieces { .. } => None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::TwoPieces { square } => write!(f, "two pieces on square {square}"),
            Fault::ManOnPromotionRow { side, square } => {
                write!(f, "a {} man on its promotion square {square}", name(*side))
            }
            Fault::NoPieces { side } => {
                write!(f, "{}, which is not to move, has no piece", name(*side))
            }
        }
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// All the faults of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    /// At least one fault.
    pub faults: Vec<Fault>,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if index > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupError {}
