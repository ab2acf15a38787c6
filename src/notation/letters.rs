//! Positions as a letter for the side to move and one for each square, in the order of numbers:
//! what the engine protocols use, each with its own letters.

use crate::board::{Geometry, Kind, Piece, Side};
use crate::position::{Position, Setup};
use crate::rules::Rules;

use super::TextError;

/// The letters of a protocol.
pub(super) struct Letters {
    /// The side to move, White first.
    pub sides: [char; 2],
    /// Men and kings by side and kind, White first.
    pub pieces: [[char; 2]; 2],
    /// An empty square.
    pub empty: char,
}

impl Letters {
    pub fn parse<R: Rules>(&self, text: &str) -> Result<Position<R>, TextError> {
        let mut letters = text.chars();
        let side = letters.next().and_then(|letter| self.side(letter)).ok_or_else(|| {
            let [white, black] = self.sides;
            TextError::new(1, format!("{white} or {black} expected, the side to move"))
        })?;
        let wanted = R::Geometry::SQUARES + 1;
        let length = letters.clone().count() + 1;
        if length != wanted {
            return Err(TextError::new(
                length.min(wanted),
                format!("{wanted} characters expected, found {length}"),
            ));
        }
        let mut setup = Setup::<R::Geometry>::empty(side);
        for (index, letter) in letters.enumerate() {
            self.put(&mut setup, index + 1, letter)
                .map_err(|message| TextError::new(index + 2, message))?;
        }
        setup.position().map_err(|error| {
            let column = error.faults.iter().find_map(|fault| fault.square());
            TextError::new(column.map_or(1, |square| usize::from(square) + 1), error.to_string())
        })
    }

    fn put<G: Geometry>(
        &self,
        setup: &mut Setup<G>,
        number: usize,
        letter: char,
    ) -> Result<(), String> {
        if letter == self.empty {
            return Ok(());
        }
        let piece = self.piece(letter).ok_or_else(|| {
            let [[wm, wk], [bm, bk]] = self.pieces;
            let empty = self.empty;
            format!("{letter:?} is none of {wm}, {bm}, {wk}, {bk}, {empty}")
        })?;
        if let Some(square) = G::square(number) {
            setup.put(piece.side, piece.kind, square);
        }
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

    pub fn format<R: Rules>(&self, position: &Position<R>) -> String {
        let squares = (1..=R::Geometry::SQUARES).filter_map(R::Geometry::square);
        let letters = squares.map(|square| match position.piece_on(square) {
            Some(piece) => self.pieces[piece.side.index()][piece.kind.index()],
            None => self.empty,
        });
        std::iter::once(self.sides[position.side().index()]).chain(letters).collect()
    }
}
