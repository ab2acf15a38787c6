//! Reads games and plays their moves.

use std::slice::Iter;

use crate::board::Move;
use crate::erased::Position;
use crate::notation::{MoveError, fen};
use crate::rules::Variant;

use super::games::{BrokenGame, GameText, PdnError, decode, games};
use super::lexer::{PlacedToken, TextPosition, Token};
use super::moves::{candidates_of_word, format_move, parse_word};
use super::record::{AnnotatedMove, GameRecord, MoveLine, ResultText, Tags};

/// Maximum nesting depth of side lines.
const MAX_DEPTH: usize = 50;

/// Reads all games of a file. Each game must be of this variant or not specify one.
pub fn read(variant: Variant, bytes: &[u8]) -> Vec<Result<GameRecord, BrokenGame>> {
    games(&decode(bytes)).map(|game| read_game(variant, &game)).collect()
}

/// Reads a game.
///
/// # Errors
///
/// The game is of another variant, its start position is invalid, the move text has a word that is
/// not a move, a move is illegal or ambiguous, or a comment or side line is not closed. The error
/// contains the game up to that point.
pub fn read_game(variant: Variant, text: &GameText) -> Result<GameRecord, BrokenGame> {
    read_game_with(variant, text, Strictness::Strict)
}

/// Reads a game leniently: a capture may be written with a dash, and its route may be ambiguous. If
/// several captures are possible, the reader chooses the one after which the largest number of
/// following moves is legal, and adds a note to `notes`.
///
/// # Errors
///
/// All other errors of [`read_game`].
pub fn read_game_leniently(
    variant: Variant,
    text: &GameText,
    notes: &mut Vec<PdnError>,
) -> Result<GameRecord, BrokenGame> {
    read_game_with(variant, text, Strictness::Lenient(notes))
}

/// Reads a game of any variant leniently (see [`read_game_leniently`]). If no tag states the
/// variant, the game is read as `default` if all its moves are legal in that variant. Otherwise, it
/// is read as the first variant in which they are all legal, and a note is added.
///
/// # Errors
///
/// Those of [`read_game_leniently`] in the variant of the tag, or in `default`.
pub fn read_any_game(
    default: Variant,
    text: &GameText,
    notes: &mut Vec<PdnError>,
) -> Result<GameRecord, BrokenGame> {
    let has_variant = text.tag("GameType").is_some() || text.tag("Variant").is_some();
    let variant = text.variant(default).map_err(|error| BrokenGame { error, before: None })?;
    let read = |variant, notes: &mut Vec<PdnError>| read_game_leniently(variant, text, notes);
    let mut own = Vec::new();
    let record = read(variant, &mut own);
    if has_variant || record.is_ok() {
        notes.append(&mut own);
        return record;
    }
    for &other in Variant::ALL {
        let mut others = Vec::new();
        if let Ok(record) = read(other, &mut others) {
            notes.push(PdnError::new(text.place(), format!("read as a game of {other}")));
            notes.append(&mut others);
            return Ok(record);
        }
    }
    notes.append(&mut own);
    record
}

/// The treatment of moves that are not written as PDN requires.
enum Strictness<'a> {
    /// Reports an error.
    Strict,
    /// Guesses the move, and adds a note.
    Lenient(&'a mut Vec<PdnError>),
}

fn read_game_with(
    variant: Variant,
    text: &GameText,
    strictness: Strictness<'_>,
) -> Result<GameRecord, BrokenGame> {
    let start = start(variant, text).map_err(|error| BrokenGame { error, before: None })?;
    let mut record = GameRecord::new(start);
    record.tags = tags(variant, text);
    let result = check_variant(variant, text).and_then(|()| {
        let (tokens, terminator) = (text.tokens.iter(), ResultText::unknown());
        let mut reader = LineReader { text, tokens, terminator, strictness };
        let result = reader.line(&mut record.line, start, None, 0);
        record.terminator = reader.terminator;
        result
    });
    match result {
        Ok(()) => Ok(record),
        Err(error) => Err(BrokenGame { error, before: Some(Box::new(record)) }),
    }
}

fn start(variant: Variant, text: &GameText) -> Result<Position, PdnError> {
    match text.placed_tag("FEN") {
        None | Some(("", _)) => Ok(Position::start(variant)),
        Some((fen, place)) => fen::parse(variant, fen)
            .map_err(|error| PdnError::new(place, format!("the tag FEN: {error}"))),
    }
}

fn check_variant(wanted: Variant, text: &GameText) -> Result<(), PdnError> {
    let variant = text.variant(wanted)?;
    if variant == wanted {
        return Ok(());
    }
    let message = format!("a game of the variant {variant}, not {wanted}");
    Err(PdnError::new(text.place(), message))
}

/// The tags that cannot be derived from the rest of the record.
fn tags(variant: Variant, text: &GameText) -> Tags {
    let mut tags = Tags::default();
    for placed in &text.tokens {
        if let Token::Tag { name, value } = &placed.token
            && !is_derived(variant, name, value)
            && !contradicts(text, name, value)
        {
            tags.push(name, value);
        }
    }
    tags
}

fn is_derived(variant: Variant, name: &str, value: &str) -> bool {
    match name {
        "FEN" | "SetUp" => true,
        "GameType" => {
            value.parse().is_ok_and(|number| variant.setup().pdn_game_type == Some(number))
        }
        "Variant" => value == variant.name(),
        _ => false,
    }
}

/// Whether a tag for the variant contradicts an earlier tag of the same name. The earlier tag takes
/// precedence.
fn contradicts(text: &GameText, name: &str, value: &str) -> bool {
    matches!(name, "GameType" | "Variant") && text.tag(name) != Some(value)
}

/// Reads the moves of a game from its tokens.
struct LineReader<'a> {
    text: &'a GameText,
    tokens: Iter<'a, PlacedToken>,
    terminator: ResultText,
    strictness: Strictness<'a>,
}

impl LineReader<'_> {
    /// Reads a line up to its end. `opened` is the place of the opening bracket of a side line;
    /// `None` for the main line.
    fn line(
        &mut self,
        line: &mut MoveLine,
        start: Position,
        opened: Option<TextPosition>,
        depth: usize,
    ) -> Result<(), PdnError> {
        let (mut before, mut position) = (start, start);
        while let Some(PlacedToken { place, token }) = self.tokens.next() {
            let fault = |message: &str| PdnError::new(*place, message);
            let last = line.moves.last_mut();
            match (token, last) {
                (Token::Tag { .. }, _) => {}
                (Token::Move(word), _) => {
                    if let Some(result) = self.as_result(word, &position) {
                        self.terminator = result;
                        continue;
                    }
                    let mv = self.read_move(&position, word, *place);
                    let mv = mv.map_err(|error| fault(&error.to_string()))?;
                    (before, position) = (position, position.after(mv));
                    line.moves.push(AnnotatedMove::new(mv));
                }
                (Token::Comment(text), Some(last)) => last.comments.push(text.clone()),
                (Token::Comment(text), None) => line.comments.push(text.clone()),
                (Token::Strength(strength), Some(last)) => last.strength.push_str(strength),
                (Token::Nag(number), Some(last)) => last.nags.push(*number),
                (Token::Open, Some(_)) if depth == MAX_DEPTH => {
                    return Err(fault("variations are nested too deeply"));
                }
                (Token::Open, Some(last)) => {
                    last.variations.push(MoveLine::default());
                    if let Some(variation) = last.variations.last_mut() {
                        self.line(variation, before, Some(*place), depth + 1)?;
                    }
                }
                (Token::Open, None) => return Err(fault("a variation needs a move before it")),
                (Token::Strength(_) | Token::Nag(_), None) => {
                    return Err(fault("a strength needs a move before it"));
                }
                (Token::Close, _) if opened.is_some() => return Ok(()),
                (Token::Close, _) => return Err(fault("unmatched closing bracket")),
                (Token::Result(result), _) if opened.is_none() => self.terminator = result.clone(),
                (Token::Result(_), _) => {}
                (Token::BadTag(message) | Token::Fault(message), _) => return Err(fault(message)),
            }
        }
        match opened {
            Some(place) => Err(PdnError::new(place, "unclosed variation")),
            None => Ok(()),
        }
    }

    /// Parses a word as a move.
    fn read_move(
        &mut self,
        position: &Position,
        word: &str,
        place: TextPosition,
    ) -> Result<Move, MoveError> {
        let strict = parse_word(position, word);
        let notes = match &mut self.strictness {
            Strictness::Lenient(notes) if strict.is_err() => notes,
            _ => return strict,
        };
        let moves = candidates_of_word(position, word)?;
        let rest = |mv: &Move| count_playable(position.after(*mv), self.tokens.clone());
        // The order is reversed because `max_by_key` returns the last maximum, but the first move
        // should win a tie.
        let Some(best) = moves.iter().rev().copied().max_by_key(rest) else {
            return strict;
        };
        if moves.len() > 1 {
            let text = format_move(position, best);
            notes.push(PdnError::new(place, format!("{word} is ambiguous, read as {text}")));
        }
        Ok(best)
    }

    /// Interprets points such as `4-6` at the end of a game as a result if the tag `Result` agrees,
    /// or if they are not a legal move.
    fn as_result(&self, word: &str, position: &Position) -> Option<ResultText> {
        let is_comment = |placed: &PlacedToken| matches!(placed.token, Token::Comment(_));
        if !self.tokens.clone().all(is_comment) {
            return None;
        }
        let result = ResultText::parse_with_points(word)?;
        let is_in_tag = self.text.tag("Result") == Some(word);
        (is_in_tag || parse_word(position, word).is_err()).then_some(result)
    }
}

/// Counts the legal moves that follow a position, up to the first illegal move or the end of the
/// line.
fn count_playable(mut position: Position, tokens: Iter<'_, PlacedToken>) -> usize {
    let (mut depth, mut count) = (0_usize, 0);
    for PlacedToken { token, .. } in tokens {
        match token {
            Token::Open => depth += 1,
            Token::Close if depth == 0 => break,
            Token::Close => depth -= 1,
            Token::Move(word) if depth == 0 => {
                let moves = candidates_of_word(&position, word).unwrap_or_default();
                let Some(&mv) = moves.first() else { break };
                position = position.after(mv);
                count += 1;
            }
            _ => {}
        }
    }
    count
}
