//! Playing a game through.

use std::slice::Iter;

use crate::notation::fen;
use crate::position::Position;
use crate::rules::Rules;

use super::lexer::{Placed, Token};
use super::moves::parse_word;
use super::{
    AnnotatedMove, Broken, GameRecord, GameResult, GameText, Line, PdnError, Place, Tags, decode,
    games,
};

/// How deep side lines may be nested.
const DEEPEST: usize = 50;

/// Reads all games of a file, which must be of one variant; games that do not say which they are
/// count as that one.
pub fn read<R: Rules>(bytes: &[u8]) -> Vec<Result<GameRecord<R>, Broken<R>>> {
    games(&decode(bytes)).map(|game| read_game(&game)).collect()
}

/// Reads a game.
///
/// # Errors
///
/// Another variant, a bad first position, anything that is no move where one should be, a move that
/// is not legal or could be several, comments and side lines that are not closed. The game before
/// the error is kept.
pub fn read_game<R: Rules>(text: &GameText) -> Result<GameRecord<R>, Broken<R>> {
    let start = start(text).map_err(|error| Broken { error, before: None })?;
    let mut record = GameRecord::new(start);
    record.tags = tags::<R>(text);
    let result = check_variant::<R>(text).and_then(|()| {
        let mut reader =
            Reader { text, tokens: text.tokens.iter(), terminator: GameResult::unknown() };
        let result = reader.line(&mut record.line, start, None, 0);
        record.terminator = reader.terminator;
        result
    });
    match result {
        Ok(()) => Ok(record),
        Err(error) => Err(Broken { error, before: Some(Box::new(record)) }),
    }
}

fn start<R: Rules>(text: &GameText) -> Result<Position<R>, PdnError> {
    match text.placed_tag("FEN") {
        None | Some(("", _)) => Ok(Position::start()),
        Some((fen, place)) => {
            fen::parse(fen).map_err(|error| PdnError::new(place, format!("the tag FEN: {error}")))
        }
    }
}

fn check_variant<R: Rules>(text: &GameText) -> Result<(), PdnError> {
    let variant = text.variant(R::VARIANT)?;
    if variant == R::VARIANT {
        return Ok(());
    }
    let message = format!("a game of the variant {variant}, not {}", R::VARIANT);
    Err(PdnError::new(text.place(), message))
}

/// The tags that do not follow from the rest of the record.
fn tags<R: Rules>(text: &GameText) -> Tags {
    let mut tags = Tags::default();
    for placed in &text.tokens {
        if let Token::Tag { name, value } = &placed.token
            && !follows::<R>(name, value)
            && !contradicts(text, name, value)
        {
            tags.push(name, value);
        }
    }
    tags
}

fn follows<R: Rules>(name: &str, value: &str) -> bool {
    match name {
        "FEN" | "SetUp" => true,
        "GameType" => value.parse().is_ok_and(|number| R::PDN_GAME_TYPE == Some(number)),
        "Variant" => value == R::VARIANT.name(),
        _ => false,
    }
}

/// Whether a tag says anew which game it is, after another one that has told it: only the first counts.
fn contradicts(text: &GameText, name: &str, value: &str) -> bool {
    matches!(name, "GameType" | "Variant") && text.tag(name) != Some(value)
}

/// Goes through the tokens of a game.
struct Reader<'a> {
    text: &'a GameText,
    tokens: Iter<'a, Placed>,
    terminator: GameResult,
}

impl Reader<'_> {
    /// Reads a line up to its end, the main line if it has not been `opened` by a bracket.
    fn line<R: Rules>(
        &mut self,
        line: &mut Line<R>,
        start: Position<R>,
        opened: Option<Place>,
        depth: usize,
    ) -> Result<(), PdnError> {
        let (mut before, mut position) = (start, start);
        while let Some(Placed { place, token }) = self.tokens.next() {
            let fault = |message: &str| PdnError::new(*place, message);
            let last = line.moves.last_mut();
            match (token, last) {
                (Token::Tag { .. }, _) => {}
                (Token::Move(word), _) => {
                    if let Some(result) = self.as_result(word, &position) {
                        self.terminator = result;
                        continue;
                    }
                    let mv = parse_word(&position, word);
                    let mv = mv.map_err(|error| fault(&error.to_string()))?;
                    (before, position) = (position, position.after(mv));
                    line.moves.push(AnnotatedMove::new(mv));
                }
                (Token::Comment(text), Some(last)) => last.comments.push(text.clone()),
                (Token::Comment(text), None) => line.comments.push(text.clone()),
                (Token::Strength(strength), Some(last)) => last.strength.push_str(strength),
                (Token::Nag(number), Some(last)) => last.nags.push(*number),
                (Token::Open, Some(_)) if depth == DEEPEST => {
                    return Err(fault("side lines are nested too deeply"));
                }
                (Token::Open, Some(last)) => {
                    last.variations.push(Line::default());
                    if let Some(variation) = last.variations.last_mut() {
                        self.line(variation, before, Some(*place), depth + 1)?;
                    }
                }
                (Token::Open, None) => return Err(fault("a side line needs a move before it")),
                (Token::Strength(_) | Token::Nag(_), None) => {
                    return Err(fault("a strength needs a move before it"));
                }
                (Token::Close, _) if opened.is_some() => return Ok(()),
                (Token::Close, _) => return Err(fault("this bracket has never been opened")),
                (Token::Result(result), _) if opened.is_none() => self.terminator = result.clone(),
                (Token::Result(_), _) => {}
                (Token::BadTag(message) | Token::Fault(message), _) => return Err(fault(message)),
            }
        }
        match opened {
            Some(place) => Err(PdnError::new(place, "this side line is never closed")),
            None => Ok(()),
        }
    }

    /// Points like `4-6` at the end of a game, if the tag `Result` says so too or if they are no
    /// legal move.
    fn as_result<R: Rules>(&self, word: &str, position: &Position<R>) -> Option<GameResult> {
        let is_comment = |placed: &Placed| matches!(placed.token, Token::Comment(_));
        if !self.tokens.clone().all(is_comment) {
            return None;
        }
        let result = GameResult::parse_with_points(word)?;
        let is_in_tag = self.text.tag("Result") == Some(word);
        (is_in_tag || parse_word(position, word).is_err()).then_some(result)
    }
}
