//! PDN moves and move numbers.

use crate::board::{Move, Side};
use crate::erased::Position;
use crate::notation::parse::{MoveError, is_quiet_sign, why_illegal};
use crate::notation::squares::{self, pdn_name};
use crate::rules::{PdnSquares, Variant};

use super::lexer::{Lexer, Token, is_capture_sign, is_separator, short_move};
use super::routes::{self, PathMatch};

/// The notation for squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SquareNames {
    /// The usual notation in PDN files of the variant.
    #[default]
    OfVariant,
    /// By number, 1 at the top left unless PDN files of the variant count from the bottom right.
    Numeric,
    /// By file and rank: `c3`.
    Algebraic,
}

impl SquareNames {
    /// Appends the name of a square to a text.
    pub(super) fn push(self, text: &mut String, variant: Variant, square: u8) {
        match self {
            SquareNames::OfVariant => squares::push_pdn_name(text, variant, square),
            SquareNames::Numeric => match variant.setup().pdn_squares {
                PdnSquares::Algebraic => squares::push_number(text, square),
                _ => squares::push_pdn_name(text, variant, square),
            },
            SquareNames::Algebraic => squares::push_algebraic_name(text, variant.grid(), square),
        }
    }
}

/// Formats a move: `32-28`, `28x19`. If several captures have the same start and end squares, the
/// squares between the jumps are included: `47x38x24x13x36`.
pub fn format_move(position: &Position, mv: Move) -> String {
    format_move_as(position, mv, SquareNames::OfVariant)
}

/// Appends a move, formatted by [`format_move`], to a text.
pub fn push_move(text: &mut String, position: &Position, mv: Move) {
    push_move_as(text, position, mv, SquareNames::OfVariant);
}

/// Formats a line of moves from a position, without move numbers.
pub fn format_line(start: &Position, moves: &[Move]) -> String {
    let mut position = *start;
    let words = moves.iter().map(|&mv| {
        let word = format_move(&position, mv);
        position = position.after(mv);
        word
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Formats a line of moves from a position, with move numbers: `12. 32-28 19-23 13. 28x19`. `start`
/// is the start position of the game, `ply` the ply of the first move.
pub fn format_numbered_line(
    start: &Position,
    ply: usize,
    position: &Position,
    moves: &[Move],
) -> String {
    let mut position = *position;
    let words = moves.iter().zip(ply..).map(|(&mv, current)| {
        let (number, word) = (move_number(start, current), format_move(&position, mv));
        position = position.after(mv);
        let is_numbered = current == ply || !number.ends_with("...");
        if is_numbered { format!("{number} {word}") } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Formats a move with the given kind of square names.
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

/// The squares on which the piece of a legal move lands, in order, ending with the end square of
/// the move. If there are several routes, the squares are those of the route that [`format_move`]
/// writes.
pub fn landing_squares(position: &Position, mv: Move) -> Vec<u8> {
    let stops = if mv.is_capture() { routes::stops(position, mv) } else { Vec::new() };
    stops.into_iter().chain([mv.to]).collect()
}

fn is_ambiguous(position: &Position, mv: Move) -> bool {
    mv.is_capture() && moves_between(position, &mv).len() > 1
}

/// The legal moves with the same start and end squares, sorted.
fn moves_between(position: &Position, wanted: &Move) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.retain(|mv| mv.from == wanted.from && mv.to == wanted.to);
    moves.sort_by_cached_key(|mv| mv.numbers());
    moves
}

/// Parses a move, optionally followed by strength marks.
///
/// The squares between start and end may be the landing squares of the jumps, as PDN requires, or
/// any squares on the route that identify the move. Also accepted: no separator, `:` for a capture,
/// leading zeros, capital letters, spaces within the move, the short notation of Russian books
/// (`cd4`, `c:e5`), and the captured squares after the end square, as in Hub notation (`28x19x23`),
/// where no route has these squares.
///
/// # Errors
///
/// The text is not a move, or the move is illegal or ambiguous.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    parse_word(position, &single_word(text)?)
}

/// The legal moves that a text may mean: several if the route of a capture is ambiguous. Accepts
/// everything that [`parse_move`] accepts, and also dashes for a capture and a capture sign for a
/// quiet move.
///
/// # Errors
///
/// The text is not a move, or no such move is legal.
pub fn candidate_moves(position: &Position, text: &str) -> Result<Vec<Move>, MoveError> {
    candidates_of_word(position, &single_word(text)?)
}

/// The legal moves that a word may mean, as for [`candidate_moves`].
pub(super) fn candidates_of_word(position: &Position, word: &str) -> Result<Vec<Move>, MoveError> {
    let path = read_path(position, word);
    let moves = path.and_then(|path| candidates(position, &path));
    moves.map_err(|reason| MoveError::new(word, reason))
}

/// The move in a text, without its strength marks.
fn single_word(text: &str) -> Result<String, MoveError> {
    let fault = |reason: &str| MoveError::new(text, reason);
    let mut tokens = Lexer::new(text).map(|placed| placed.token);
    let word = match tokens.next() {
        Some(Token::Move(word)) => word.into_owned(),
        Some(Token::Result(_)) => return Err(fault("a result, not a move")),
        Some(Token::BadMove(error)) => return Err(error),
        Some(Token::Fault(reason)) => return Err(fault(&reason)),
        _ => return Err(fault("not a move")),
    };
    if tokens.all(|token| matches!(token, Token::Strength(_))) {
        Ok(word)
    } else {
        Err(fault("more text after the move"))
    }
}

/// Parses a move that contains no spaces or strength marks.
pub(super) fn parse_word(position: &Position, word: &str) -> Result<Move, MoveError> {
    let path = read_path(position, word);
    let mv = path.and_then(|path| find(position, &path));
    mv.map_err(|reason| MoveError::new(word, reason))
}

/// The squares of a move as it is written. Those of a [`short_move`] depend on the position.
fn read_path(position: &Position, word: &str) -> Result<WrittenPath, String> {
    match short_move(word) {
        Some((file, to)) => short_path(position, word, file, to),
        None => WrittenPath::parse(position.variant(), word),
    }
}

/// The squares of the legal moves from a file to a square; an error if they start on several.
fn short_path(
    position: &Position,
    word: &str,
    file: char,
    to: &str,
) -> Result<WrittenPath, String> {
    let to = squares::from_pdn_name(position.variant(), to)?;
    let names = |square| {
        let name = squares::algebraic_name(position.grid(), square);
        name.starts_with(file.to_ascii_lowercase())
    };
    let mut moves = position.sorted_moves();
    moves.retain(|mv| mv.to == to && names(mv.from));
    let Some(&Move { from, .. }) = moves.first() else {
        return Err("not legal here".to_owned());
    };
    if moves.iter().any(|mv| mv.from != from) {
        return Err(format!("ambiguous: {}", spelled(position, &moves)));
    }
    Ok(WrittenPath { from, via: Vec::new(), to, is_capture: is_capture(word)? })
}

/// The legal move that a path describes.
fn find(position: &Position, path: &WrittenPath) -> Result<Move, String> {
    let moves = candidates(position, path)?;
    match moves[..] {
        [mv, ..] if mv.is_capture() && path.is_capture == Some(false) => {
            Err(format!("captures are written with x: {}", spelled(position, &moves)))
        }
        [mv, ..] if !mv.is_capture() && path.is_capture == Some(true) => {
            let name = pdn_name(position.variant(), path.from);
            Err(why_illegal(position, path.from, &name, path.is_capture))
        }
        [mv] => Ok(mv),
        _ => Err(format!("ambiguous: {}", spelled(position, &moves))),
    }
}

/// The legal moves that a path may describe; never empty. A dash may stand for a capture, and a
/// capture sign for a quiet move, as in collections that write every move with `x`.
fn candidates(position: &Position, path: &WrittenPath) -> Result<Vec<Move>, String> {
    let by_captured = || hub_capture(position, path).map(|mv| vec![mv]);
    candidates_by_route(position, path).or_else(|why| by_captured().ok_or(why))
}

/// The legal capture that a path describes as Hub does: start, end, captured squares.
fn hub_capture(position: &Position, path: &WrittenPath) -> Option<Move> {
    let (&to, others) = path.via.split_first()?;
    let captured = others.iter().copied().chain([path.to]).collect();
    let wanted = Move { captured, ..Move::quiet(path.from, to) };
    position.legal_moves().contains(&wanted).then_some(wanted)
}

fn candidates_by_route(position: &Position, path: &WrittenPath) -> Result<Vec<Move>, String> {
    let mut candidates = moves_between(position, &Move::quiet(path.from, path.to));
    candidates.retain(|mv| mv.is_capture() || path.via.is_empty());
    if candidates.is_empty() {
        let name = pdn_name(position.variant(), path.from);
        return Err(why_illegal(position, path.from, &name, path.is_capture));
    }
    // By far the most common case: a path with no squares between start and end matches any route.
    if candidates.len() == 1 && path.via.is_empty() {
        return Ok(candidates);
    }
    for visit in PathMatch::STRICT_FIRST {
        let mut fitting = candidates.clone();
        fitting.retain(|&mv| routes::visits(position, mv, &path.via, visit));
        if !fitting.is_empty() {
            return Ok(fitting);
        }
    }
    Err(format!("a different route is legal: {}", spelled(position, &candidates)))
}

/// Formats a list of moves for an error message.
fn spelled(position: &Position, moves: &[Move]) -> String {
    let moves: Vec<_> = moves.iter().map(|&mv| format_move(position, mv)).collect();
    moves.join(" or ")
}

/// The squares of a move as it is written, legal or not.
pub(super) struct WrittenPath {
    pub from: u8,
    /// The squares between start and end.
    pub via: Vec<u8>,
    pub to: u8,
    /// Whether the move is written as a capture; `None` if it has no separators.
    pub is_capture: Option<bool>,
}

impl WrittenPath {
    pub fn parse(variant: Variant, text: &str) -> Result<Self, String> {
        let is_capture = is_capture(text)?;
        let square = |name| squares::from_pdn_name(variant, name);
        let squares: Vec<_> = match is_capture {
            Some(_) => text.split(is_separator).map(square).collect::<Result<_, _>>()?,
            None => {
                let names = names_without_separator(text)?;
                names.into_iter().map(square).collect::<Result<_, _>>()?
            }
        };
        let [from, via @ .., to] = &squares[..] else {
            return Err("a move needs two squares".to_owned());
        };
        Ok(WrittenPath { from: *from, via: via.to_vec(), to: *to, is_capture })
    }
}

/// Whether a move is written as a capture; `None` if it has no separators.
fn is_capture(text: &str) -> Result<Option<bool>, String> {
    match (text.contains(is_quiet_sign), text.contains(is_capture_sign)) {
        (false, false) => Ok(None),
        (quiet, capture) if quiet != capture => Ok(Some(capture)),
        _ => Err("mixes - and x".to_owned()),
    }
}

/// The names of the two squares in a move such as `3228` or `c3d4`.
fn names_without_separator(text: &str) -> Result<Vec<&str>, String> {
    if !text.is_ascii() {
        return Err("not a move".to_owned());
    }
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        return match text.len() {
            4 => Ok(vec![&text[..2], &text[2..]]),
            _ => Err("a move needs a separator, or two digits per square".to_owned()),
        };
    }
    let starts = text.char_indices().filter(|(_, character)| character.is_ascii_alphabetic());
    let starts: Vec<_> = starts.map(|(index, _)| index).chain([text.len()]).collect();
    Ok(starts.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect())
}

/// The move number of a ply, counted from 0 at the start position: `12.` for the side that moved
/// first in the game, `12...` for the other side.
pub fn move_number(start: &Position, ply: usize) -> String {
    // If the game starts with the second move of a pair, the first pair consists of that move
    // alone.
    let place = ply + usize::from(!begins(start, start.side()));
    let dots = if place.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", place / 2 + 1)
}

fn begins(position: &Position, side: Side) -> bool {
    position.variant().setup().first == side
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::rules::Variant;

    #[test]
    fn move_numbers_start_with_the_side_that_moves_first() {
        let numbers = |fen: &str, variant| {
            let start = fen::parse(variant, fen).unwrap();
            [0, 1, 2].map(|ply| move_number(&start, ply))
        };
        assert_eq!(numbers("W:W31:B20", Variant::International), ["1.", "1...", "2."]);
        assert_eq!(numbers("B:W31:B20", Variant::International), ["1...", "2.", "2..."]);
        // Black moves first in English draughts.
        assert_eq!(numbers("B:W21:B12", Variant::English), ["1.", "1...", "2."]);
    }
}
