//! Positions as a letter for the side to move followed by one for each square in numerical order.
//! The engine protocols use this form, each with its own letters.

use crate::board::{Kind, Piece, Side};
use crate::erased::Position;
use crate::position::Setup;
use crate::rules::Variant;

use super::TextError;

/// The letters of a protocol.
pub(super) struct PositionLetters {
    /// The side to move, White first.
    pub sides: [char; 2],
    /// Pieces by side and kind, White and men first.
    pub pieces: [[char; 2]; 2],
    /// An empty square.
    pub empty: char,
}

impl PositionLetters {
    pub fn parse(&self, variant: Variant, text: &str) -> Result<Position, TextError> {
        let mut letters = text.chars();
        let side = letters.next().and_then(|letter| self.side(letter)).ok_or_else(|| {
            let [white, black] = self.sides;
            TextError::new(1, format!("{white} or {black} expected, the side to move"))
        })?;
        let wanted = usize::from(variant.grid().squares()) + 1;
        let length = letters.clone().count() + 1;
        if length != wanted {
            return Err(TextError::new(
                length.min(wanted),
                format!("{wanted} characters expected, found {length}"),
            ));
        }
        let mut setup = Setup::empty(side);
        for (square, letter) in (1..).zip(letters) {
            self.put(&mut setup, square, letter)
                .map_err(|message| TextError::new(usize::from(square) + 1, message))?;
        }
        Position::from_setup(variant, &setup).map_err(|error| {
            let square = error.faults.iter().find_map(|fault| fault.square());
            TextError::new(square.map_or(1, |square| usize::from(square) + 1), error.to_string())
        })
    }

    fn put(&self, setup: &mut Setup, square: u8, letter: char) -> Result<(), String> {
        if letter == self.empty {
            return Ok(());
        }
        let piece = self.piece(letter).ok_or_else(|| {
            let [[wm, wk], [bm, bk]] = self.pieces;
            let empty = self.empty;
            format!("{letter:?} is none of {wm}, {bm}, {wk}, {bk}, {empty}")
        })?;
        setup.put(piece.side, piece.kind, square);
        Ok(())
    }

    fn side(&self, letter: char) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.sides[side.index()] == letter)
    }

    fn piece(&self, letter: char) -> Option<Piece> {
        Side::ALL.into_iter().find_map(|side| {
            [Kind::Man, Kind::King]
                .into_iter()
                .find(|kind| self.pieces[side.index()][kind.index()] == letter)
                .map(|kind| Piece { side, kind })
        })
    }

    pub fn format(&self, position: &Position) -> String {
        let letters =
            position.grid().playable().numbers().map(|square| match position.piece_on(square) {
                Some(piece) => self.pieces[piece.side.index()][piece.kind.index()],
                None => self.empty,
            });
        std::iter::once(self.sides[position.side().index()]).chain(letters).collect()
    }
}
