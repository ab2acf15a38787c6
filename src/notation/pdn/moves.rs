//! PDN moves.

use crate::board::Move;
use crate::erased::Position;
use crate::notation::squares::pdn_name;
use crate::notation::{MoveError, illegal};

use super::SquareNames;
use super::lexer::{Lexer, Token};
use super::path::WrittenPath;
use super::routes::{self, Visit};

/// Formats a move: `32-28`, `28x19`. A capture whose start and end squares are ambiguous also has
/// the squares between the jumps: `47x38x24x13x36`.
pub fn format_move(position: &Position, mv: Move) -> String {
    format_move_as(position, mv, SquareNames::Custom)
}

/// Appends a move to a text, as [`format_move`] formats it.
pub fn push_move(text: &mut String, position: &Position, mv: Move) {
    push_move_as(text, position, mv, SquareNames::Custom);
}

/// Formats moves from a position on, without numbers.
pub fn format_line(start: &Position, moves: &[Move]) -> String {
    let mut position = *start;
    let words = moves.iter().map(|&mv| {
        let word = format_move(&position, mv);
        position = position.after(mv);
        word
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Formats a move with squares named in some way.
pub(super) fn format_move_as(position: &Position, mv: Move, names: SquareNames) -> String {
    let mut text = String::new();
    push_move_as(&mut text, position, mv, names);
    text
}

fn push_move_as(text: &mut String, position: &Position, mv: Move, names: SquareNames) {
    let via = if is_ambiguous(position, mv) { routes::stops(position, mv) } else { Vec::new() };
    names.push(text, position.variant(), mv.from);
    for square in via.into_iter().chain([mv.to]) {
        text.push(if mv.is_capture() { 'x' } else { '-' });
        names.push(text, position.variant(), square);
    }
}

/// The squares that the piece of a legal move lands on, the last one being its end. Of several
/// routes it is the one by which [`format_move`] tells the capture from others.
pub fn way(position: &Position, mv: Move) -> Vec<u8> {
    let stops = if mv.is_capture() { routes::stops(position, mv) } else { Vec::new() };
    stops.into_iter().chain([mv.to]).collect()
}

fn is_ambiguous(position: &Position, mv: Move) -> bool {
    mv.is_capture() && between(position, &mv).len() > 1
}

/// The legal moves with the same start and end squares, sorted.
fn between(position: &Position, wanted: &Move) -> Vec<Move> {
    let mut moves = position.sorted_moves();
    moves.retain(|mv| mv.from == wanted.from && mv.to == wanted.to);
    moves
}

/// Parses a move, optionally followed by strength marks.
///
/// The squares between start and end may be the ends of the jumps, as PDN demands, or any squares
/// on the route that leave only one move. Also accepted: no separator, `:` for a capture, leading
/// zeros, capital letters, and blanks inside the move.
///
/// # Errors
///
/// The text is not a move, or the move is illegal or ambiguous.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    parse_word(position, &only_word(text)?)
}

/// The legal moves that a text may mean, as people write moves: several if a capture does not say
/// which way it goes. Accepts what [`parse_move`] does, and a dash for a capture.
///
/// # Errors
///
/// The text is not a move, or no such move is legal.
pub fn meant_moves(position: &Position, text: &str) -> Result<Vec<Move>, MoveError> {
    meant_by_word(position, &only_word(text)?)
}

/// The legal moves that a word may mean, as [`meant_moves`].
pub(super) fn meant_by_word(position: &Position, word: &str) -> Result<Vec<Move>, MoveError> {
    let path = WrittenPath::parse(position.variant(), word);
    let moves = path.and_then(|path| meant_by(position, &path));
    moves.map_err(|reason| MoveError::new(word, reason))
}

/// The move in a text, without its strength marks.
fn only_word(text: &str) -> Result<String, MoveError> {
    let fault = |reason: &str| MoveError::new(text, reason);
    let mut tokens = Lexer::new(text).map(|placed| placed.token);
    let word = match tokens.next() {
        Some(Token::Move(word)) => word,
        Some(Token::Result(_)) => return Err(fault("a result, not a move")),
        Some(Token::Fault(reason)) => return Err(fault(&reason)),
        _ => return Err(fault("not a move")),
    };
    if tokens.all(|token| matches!(token, Token::Strength(_))) {
        Ok(word)
    } else {
        Err(fault("more than a move"))
    }
}

/// Parses a move without blanks and strength marks.
pub(super) fn parse_word(position: &Position, word: &str) -> Result<Move, MoveError> {
    let path = WrittenPath::parse(position.variant(), word);
    let mv = path.and_then(|path| find(position, &path));
    mv.map_err(|reason| MoveError::new(word, reason))
}

/// The legal move that a path describes.
fn find(position: &Position, path: &WrittenPath) -> Result<Move, String> {
    let moves = meant_by(position, path)?;
    match moves[..] {
        [mv, ..] if mv.is_capture() && path.is_capture == Some(false) => {
            Err(format!("a capture is written {}", spelled(position, &moves)))
        }
        [mv] => Ok(mv),
        _ => Err(format!("ambiguous: {}", spelled(position, &moves))),
    }
}

/// The legal moves that a path may describe, at least one. A dash may stand for a capture.
fn meant_by(position: &Position, path: &WrittenPath) -> Result<Vec<Move>, String> {
    let mut candidates = between(position, &Move::quiet(path.from, path.to));
    candidates.retain(|mv| mv.is_capture() || path.is_capture != Some(true));
    if candidates.is_empty() {
        let name = pdn_name(position.variant(), path.from);
        return Err(illegal::reason(position, path.from, &name, path.is_capture));
    }
    for visit in Visit::STRICT_FIRST {
        let mut fitting = candidates.clone();
        fitting.retain(|&mv| routes::visits(position, mv, &path.via, visit));
        if !fitting.is_empty() {
            return Ok(fitting);
        }
    }
    Err(format!("the way is another: {}", spelled(position, &candidates)))
}

/// Moves as an error message lists them.
fn spelled(position: &Position, moves: &[Move]) -> String {
    let moves: Vec<_> = moves.iter().map(|&mv| format_move(position, mv)).collect();
    moves.join(" or ")
}
