//! A move of PDN in a position.

use crate::board::Move;
use crate::movegen;
use crate::notation::squares::pdn_name;
use crate::notation::{MoveError, illegal};
use crate::position::Position;
use crate::rules::Rules;

use super::lexer::{Lexer, Token};
use super::path::Path;
use super::routes::{self, Visit};

/// Writes a move: `32-28`, `28x19`, and only where the two squares leave it open which capture it
/// is, with the squares between the jumps, `47x38x24x13x36`.
pub fn format_move<R: Rules>(position: &Position<R>, mv: Move<R::Geometry>) -> String {
    let via = if is_ambiguous(position, mv) { routes::stops(position, mv) } else { Vec::new() };
    let squares = [mv.from].into_iter().chain(via).chain([mv.to]);
    let names: Vec<_> = squares.map(pdn_name::<R>).collect();
    names.join(if mv.is_capture() { "x" } else { "-" })
}

fn is_ambiguous<R: Rules>(position: &Position<R>, mv: Move<R::Geometry>) -> bool {
    mv.is_capture() && between(position, &mv).len() > 1
}

/// The legal moves with the same start and end.
fn between<R: Rules>(position: &Position<R>, wanted: &Move<R::Geometry>) -> Vec<Move<R::Geometry>> {
    let mut moves: Vec<_> = movegen::legal_moves(position)
        .into_iter()
        .filter(|mv| mv.from == wanted.from && mv.to == wanted.to)
        .collect();
    moves.sort_by_cached_key(|mv| mv.numbers());
    moves
}

/// Reads a move, with or without a strength behind it.
///
/// The squares in between may be the ends of the jumps, as PDN wants it, or any squares on the way
/// that leave only one move. Without a separator, with `:` for a capture, leading zeros, capital
/// letters and blanks inside it is read too.
///
/// # Errors
///
/// Text that is no move, a move that is not legal, or one that could be several.
pub fn parse_move<R: Rules>(
    position: &Position<R>,
    text: &str,
) -> Result<Move<R::Geometry>, MoveError> {
    let fault = |reason: &str| MoveError::new(text, reason);
    let mut tokens = Lexer::new(text).map(|placed| placed.token);
    let mv = match tokens.next() {
        Some(Token::Move(word)) => parse_word(position, &word)?,
        Some(Token::Result(_)) => return Err(fault("a result, not a move")),
        Some(Token::Fault(reason)) => return Err(fault(&reason)),
        _ => return Err(fault("not a move")),
    };
    if tokens.all(|token| matches!(token, Token::Strength(_))) {
        Ok(mv)
    } else {
        Err(fault("more than a move"))
    }
}

/// Reads a move without blanks and strength.
pub(super) fn parse_word<R: Rules>(
    position: &Position<R>,
    word: &str,
) -> Result<Move<R::Geometry>, MoveError> {
    let path = Path::parse::<R>(word).map_err(|reason| MoveError::new(word, reason))?;
    find(position, &path).map_err(|reason| MoveError::new(word, reason))
}

/// The legal move that a path means.
fn find<R: Rules>(position: &Position<R>, path: &Path) -> Result<Move<R::Geometry>, String> {
    let candidates = between(position, &Move::quiet(path.from, path.to));
    if let ([mv, ..], Some(false)) = (&candidates[..], path.is_capture)
        && mv.is_capture()
    {
        return Err(format!("a capture is written {}", spelled(position, &candidates)));
    }
    let fits = |mv: &&Move<_>| path.is_capture.is_none_or(|capture| capture == mv.is_capture());
    let candidates: Vec<_> = candidates.iter().filter(fits).copied().collect();
    if candidates.is_empty() {
        let name = pdn_name::<R>(path.from);
        return Err(illegal::reason(position, path.from, &name, path.is_capture));
    }
    for visit in Visit::STRICT_FIRST {
        let mut fitting = candidates.clone();
        fitting.retain(|&mv| routes::visits(position, mv, &path.via, visit));
        match fitting[..] {
            [] => {}
            [mv] => return Ok(mv),
            _ => return Err(format!("ambiguous: {}", spelled(position, &fitting))),
        }
    }
    Err(format!("the way is another: {}", spelled(position, &candidates)))
}

fn spelled<R: Rules>(position: &Position<R>, moves: &[Move<R::Geometry>]) -> String {
    let moves: Vec<_> = moves.iter().map(|&mv| format_move(position, mv)).collect();
    moves.join(" or ")
}
