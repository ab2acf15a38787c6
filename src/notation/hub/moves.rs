//! Hub moves: `32-28`, and `28x19x23` with every captured square behind the two squares of the
//! move. Squares in between are not part of it.

use crate::board::{Bitboard, Geometry, Move, Square};
use crate::movegen;
use crate::notation::{MoveError, illegal, squares};
use crate::position::Position;
use crate::rules::Rules;

/// Writes a move, captured squares in ascending order.
pub fn format_move<G: Geometry>(mv: Move<G>) -> String {
    let (from, to, captured) = mv.numbers();
    let separator = if mv.is_capture() { 'x' } else { '-' };
    captured
        .into_iter()
        .fold(format!("{from}{separator}{to}"), |text, square| format!("{text}x{square}"))
}

/// Reads a move as the protocol demands it. Captured squares may come in any order.
///
/// # Errors
///
/// Text that is no move, or a move that is not legal.
pub fn parse_move<R: Rules>(
    position: &Position<R>,
    text: &str,
) -> Result<Move<R::Geometry>, MoveError> {
    let fault = |reason| MoveError::new(text, reason);
    let has_leading_zero = text
        .split(|character: char| !character.is_ascii_digit())
        .any(|number| number.starts_with('0') && number.len() > 1);
    if has_leading_zero {
        return Err(fault("a number starts with 0".to_owned()));
    }
    let written = Written::parse(text).map_err(fault)?;
    written.find(position).map_err(fault)
}

/// Reads a move as clients write it: also with blanks around, leading zeros (`07-12`), and without
/// the captured squares where only one capture goes from and to the two squares.
///
/// # Errors
///
/// As for [`parse_move`]; a capture without captured squares that could be several moves.
pub fn parse_move_leniently<R: Rules>(
    position: &Position<R>,
    text: &str,
) -> Result<Move<R::Geometry>, MoveError> {
    let fault = |reason| MoveError::new(text, reason);
    let written = Written::parse(text.trim()).map_err(fault)?;
    if written.is_capture && written.captured.is_empty() {
        let candidates = written.candidates(position);
        if let [mv] = candidates[..] {
            return Ok(mv);
        }
    }
    written.find(position).map_err(fault)
}

/// A move as it is written, legal or not.
struct Written<G: Geometry> {
    from: Square,
    to: Square,
    is_capture: bool,
    captured: Bitboard<G>,
}

impl<G: Geometry> Written<G> {
    fn parse(text: &str) -> Result<Self, String> {
        let is_capture = text.contains('x');
        let mut numbers = text.split(if is_capture { 'x' } else { '-' });
        let mut square = || numbers.next().map(squares::from_number::<G>);
        let missing = || "a move needs two squares".to_owned();
        let from = square().ok_or_else(missing)??;
        let to = square().ok_or_else(missing)??;
        let mut captured = Bitboard::EMPTY;
        while let Some(next) = square() {
            let next = next?;
            if !is_capture {
                return Err("a quiet move has two squares".to_owned());
            }
            if captured.has(next) {
                return Err(format!("{} is captured twice", G::number(next)));
            }
            captured |= Bitboard::of(next);
        }
        Ok(Written { from, to, is_capture, captured })
    }

    /// The legal captures between the two squares, sorted.
    fn candidates<R: Rules<Geometry = G>>(&self, position: &Position<R>) -> Vec<Move<G>> {
        let mut moves: Vec<_> = movegen::legal_moves(position)
            .into_iter()
            .filter(|mv| mv.is_capture() && mv.from == self.from && mv.to == self.to)
            .collect();
        moves.sort_by_cached_key(|mv| mv.numbers());
        moves
    }

    fn find<R: Rules<Geometry = G>>(&self, position: &Position<R>) -> Result<Move<G>, String> {
        let wanted = Move { from: self.from, to: self.to, captured: self.captured };
        let moves = movegen::legal_moves(position);
        if moves.contains(&wanted) && self.is_capture == wanted.is_capture() {
            return Ok(wanted);
        }
        Err(self.fault(position))
    }

    /// Why the move is not legal.
    fn fault<R: Rules<Geometry = G>>(&self, position: &Position<R>) -> String {
        let captures = self.candidates(position);
        if captures.is_empty() {
            let name = G::number(self.from).to_string();
            return illegal::reason(position, self.from, &name, Some(self.is_capture));
        }
        let captures: Vec<_> = captures.into_iter().map(format_move).collect();
        let what = if self.captured.is_empty() {
            "the captured squares are missing"
        } else {
            "wrong captured squares"
        };
        format!("{what}: {}", captures.join(" or "))
    }
}
