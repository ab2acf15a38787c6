//! Positions and moves of the Hub protocol.
//!
//! A move is `32-28`, or `28x19x23` for a capture: the start and end squares, then all captured
//! squares. For the form of a position, see [`PositionLetters`].

use crate::board::{Grid, Move, Side, SquareSet};
use crate::erased::Position;
use crate::position::KingRun;
use crate::rules::Variant;

use super::parse::{MoveError, TextError, why_illegal};
use super::position_letters::PositionLetters;
use super::squares;

/// Parses a position ([`PositionLetters::HUB`]).
///
/// # Errors
///
/// The text contains an invalid letter or has the wrong length, or the position is not legal.
pub fn parse_position(variant: Variant, text: &str) -> Result<Position, TextError> {
    PositionLetters::HUB.parse(variant, text)
}

/// Formats a position, without the counters of the three-king-moves rule (see [`format_wolf`]).
pub fn format_position(position: &Position) -> String {
    PositionLetters::HUB.format(position)
}

/// Parses the counters of the three-king-moves rule and adds them to a position. `W28=2 B13=1`
/// means that White's king on 28 has made two moves, and Black's king on 13 one. Variants without
/// the rule ignore the counters.
///
/// # Errors
///
/// A counter is malformed, names a square on which that side has no king, or is the second counter
/// for its side.
pub fn parse_wolf(position: Position, text: &str) -> Result<Position, TextError> {
    let has_rule = position.variant().move_rules().king_moves_in_a_row > 0;
    let mut runs = [None; 2];
    for word in text.split_whitespace() {
        // `word` is a slice of `text`, so the difference of their addresses is its byte offset.
        let offset = word.as_ptr() as usize - text.as_ptr() as usize;
        let column = text[..offset].chars().count() + 1;
        let fault = |message: String| TextError::new(column, format!("{word}: {message}"));
        let (side, square, count) = parse_counter(position.grid(), word).map_err(fault)?;
        if has_rule && !position.kings(side).has(square) {
            return Err(fault("there is no such king".to_owned()));
        }
        if runs[side.index()].replace(KingRun::new(square, count)).is_some() {
            return Err(fault("a second counter for this side".to_owned()));
        }
    }
    Ok(position.with_king_runs(runs.map(|run| run.unwrap_or(KingRun::default()))))
}

/// The side, the king's square and the number of moves in a counter such as `W28=2`.
fn parse_counter(grid: Grid, word: &str) -> Result<(Side, u8, u8), String> {
    let form = || "not of the form W28=2".to_owned();
    let (king, count) = word.split_once('=').ok_or_else(form)?;
    let side = match king.chars().next() {
        Some('W') => Side::White,
        Some('B') => Side::Black,
        _ => return Err(form()),
    };
    let square = squares::from_number(grid, &king[1..])?;
    let is_number = count.bytes().all(|byte| byte.is_ascii_digit());
    let count = count.parse().ok().filter(|_| is_number).ok_or_else(form)?;
    Ok((side, square, count))
}

/// Formats the counters of the three-king-moves rule; empty if all are 0.
pub fn format_wolf(position: &Position) -> String {
    let counters = Side::ALL.into_iter().filter_map(|side| {
        let run = position.king_run(side);
        let square = run.square()?;
        let letter = PositionLetters::HUB.side_letter(side);
        Some(format!("{letter}{square}={}", run.count()))
    });
    counters.collect::<Vec<_>>().join(" ")
}

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
        return Err(fault("leading zero".to_owned()));
    }
    let written = WrittenMove::parse(position.grid(), text).map_err(fault)?;
    written.find(position).map_err(fault)
}

/// Parses a move as clients write it. Unlike [`parse_move`], accepts spaces around the move,
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

/// A move as it is written, legal or not.
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

    /// Explains why the move is illegal.
    fn fault(&self, position: &Position) -> String {
        let captures = self.candidates(position);
        if captures.is_empty() {
            let name = self.from.to_string();
            return why_illegal(position, self.from, &name, Some(self.is_capture));
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
