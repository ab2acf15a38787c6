//! Positions in the notation of the engine protocols: a letter for the side to move, then one for
//! each square in numerical order.

use crate::board::{Kind, Piece, Side};
use crate::erased::Position;
use crate::position::Setup;
use crate::rules::Variant;

use super::parse::TextError;

/// The letters of a protocol, for parsing and formatting positions.
#[derive(Clone, Copy, Debug)]
pub struct PositionLetters {
    /// The letters for the side to move, White first.
    sides: [char; 2],
    /// The letters for pieces by side and kind, White and men first.
    pieces: [[char; 2]; 2],
    /// The letter for an empty square.
    empty: char,
}

impl PositionLetters {
    /// Hub: `W` or `B`, then `w`, `b`, `W`, `B` or `e` for each square.
    pub const HUB: PositionLetters =
        PositionLetters { sides: ['W', 'B'], pieces: [['w', 'W'], ['b', 'B']], empty: 'e' };

    /// DXP (DamExchange): `z` stands for Dutch *zwart*, black.
    pub const DXP: PositionLetters =
        PositionLetters { sides: ['W', 'Z'], pieces: [['w', 'W'], ['z', 'Z']], empty: 'e' };

    /// Parses a position. The length of the text is the number of playable squares plus one: 33 for
    /// the dark squares of an 8x8 board, 51 for 10x10, 73 for 12x12, and 65 for all squares of an
    /// 8x8 board.
    ///
    /// # Errors
    ///
    /// The text contains an invalid letter or has the wrong length, or the position is not legal.
    pub fn parse(&self, variant: Variant, text: &str) -> Result<Position, TextError> {
        let mut letters = text.chars();
        let side = letters.next().and_then(|letter| self.side(letter)).ok_or_else(|| {
            let [white, black] = self.sides;
            TextError::new(1, format!("expected {white} or {black} for the side to move"))
        })?;
        let expected = usize::from(variant.grid().squares()) + 1;
        let length = letters.clone().count() + 1;
        if length != expected {
            return Err(TextError::new(
                length.min(expected),
                format!("expected {expected} characters, found {length}"),
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
            format!("{letter:?} is not one of {wm}, {bm}, {wk}, {bk}, {empty}")
        })?;
        setup.put(piece.side, piece.kind, square);
        Ok(())
    }

    /// The letter of a side.
    pub fn side_letter(&self, side: Side) -> char {
        self.sides[side.index()]
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

    /// Formats a position, without the counters of the three-king-moves rule.
    pub fn format(&self, position: &Position) -> String {
        let letters =
            position.grid().playable().numbers().map(|square| match position.piece_on(square) {
                Some(piece) => self.pieces[piece.side.index()][piece.kind.index()],
                None => self.empty,
            });
        std::iter::once(self.sides[position.side().index()]).chain(letters).collect()
    }
}
