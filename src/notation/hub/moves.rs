//! Hub moves: `32-28` for a quiet move, `28x19x23` for a capture. The start and end squares come
//! first, then every captured square; the squares between the jumps are not written.

use crate::board::{Grid, Move, SquareSet};
use crate::erased::Position;
use crate::notation::{MoveError, illegal, squares};

/// Formats a move, with the captured squares in ascending order.
pub fn format_move(mv: Move) -> String {
    let (from, to, captured) = mv.numbers();
    let separator = if mv.is_capture() { 'x' } else { '-' };
    captured
        .into_iter()
        .fold(format!("{from}{separator}{to}"), |text, square| format!("{text}x{square}"))
}

/// Parses a move in the strict form of the protocol. The captured squares may come in any order.
///
/// # Errors
///
/// The text is not a move, or the move is illegal.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let fault = |reason| MoveError::new(text, reason);
    let has_leading_zero = text
        .split(|character: char| !character.is_ascii_digit())
        .any(|number| number.starts_with('0') && number.len() > 1);
    if has_leading_zero {
        return Err(fault("a number starts with 0".to_owned()));
    }
    let written = WrittenMove::parse(position.grid(), text).map_err(fault)?;
    written.find(position).map_err(fault)
}

/// Parses a move as clients write it. Unlike [`parse_move`], accepts blanks around the move,
/// leading zeros (`07-12`), and captures without captured squares if only one legal capture has
/// these start and end squares.
///
/// # Errors
///
/// As for [`parse_move`]. A capture without captured squares may also be ambiguous.
pub fn parse_move_leniently(position: &Position, text: &str) -> Result<Move, MoveError> {
    let fault = |reason| MoveError::new(text, reason);
    let written = WrittenMove::parse(position.grid(), text.trim()).map_err(fault)?;
    if written.is_capture && written.captured.is_empty() {
        let candidates = written.candidates(position);
        if let [mv] = candidates[..] {
            return Ok(mv);
        }
    }
    written.find(position).map_err(fault)
}

/// A move as written, legal or not.
struct WrittenMove {
    from: u8,
    to: u8,
    is_capture: bool,
    captured: SquareSet,
}

impl WrittenMove {
    fn parse(grid: Grid, text: &str) -> Result<Self, String> {
        let is_capture = text.contains('x');
        let mut names = text.split(if is_capture { 'x' } else { '-' });
        let mut square = || names.next().map(|name| squares::from_number(grid, name));
        let missing = || "a move needs two squares".to_owned();
        let from = square().ok_or_else(missing)??;
        let to = square().ok_or_else(missing)??;
        let mut captured = SquareSet::EMPTY;
        while let Some(next) = square() {
            let next = next?;
            if !is_capture {
                return Err("a quiet move has two squares".to_owned());
            }
            if !captured.insert(next) {
                return Err(format!("{next} is captured twice"));
            }
        }
        Ok(WrittenMove { from, to, is_capture, captured })
    }

    /// The legal captures with the same start and end squares, sorted.
    fn candidates(&self, position: &Position) -> Vec<Move> {
        let mut moves = position.sorted_moves();
        moves.retain(|mv| mv.is_capture() && mv.from == self.from && mv.to == self.to);
        moves
    }

    fn find(&self, position: &Position) -> Result<Move, String> {
        let wanted = Move { from: self.from, to: self.to, captured: self.captured };
        if self.is_capture == wanted.is_capture() && position.legal_moves().contains(&wanted) {
            return Ok(wanted);
        }
        Err(self.fault(position))
    }

    /// Why the move is illegal.
    fn fault(&self, position: &Position) -> String {
        let captures = self.candidates(position);
        if captures.is_empty() {
            let name = self.from.to_string();
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
