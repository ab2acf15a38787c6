//! Reads games from text.

use serde::Serialize;

use crate::board::Side;
use crate::erased::Position;
use crate::notation::pdn::{self, BrokenGame, GameRecord, MoveLine, ResultText, TextPosition};
use crate::notation::{fen, hub};
use crate::report::page::{chances, shown};
use crate::rules::Variant;
use crate::score::Score;

/// The maximum number of games in a response; the page opens a text with more games as a file.
const MAX_GAMES: usize = 1;

/// The maximum number of tokens in a game: moves, numbers, comments, tags, parentheses. A session
/// takes a few seconds at most to read and send a game of this size.
const MAX_TOKENS: usize = 200_000;

/// The maximum number of notes in a response; the page shows fewer.
const MAX_NOTES: usize = 100;

/// A game with its variations and annotations.
#[derive(Debug, Serialize)]
pub struct PageRecord {
    variant: String,
    /// A FEN, empty for the start position.
    start: String,
    /// The names and values.
    tags: Vec<(String, String)>,
    result: String,
    line: PageLine,
}

/// A line of moves.
#[derive(Debug, Default, Serialize)]
struct PageLine {
    /// The comments before the first move.
    comments: Vec<String>,
    moves: Vec<PageAnnotated>,
}

/// A move with its annotations.
#[derive(Debug, Serialize)]
struct PageAnnotated {
    /// The move, in Hub notation.
    hub: String,
    /// The move, as in PDN.
    text: String,
    /// The move number as in PDN.
    number: String,
    strength: String,
    nags: Vec<u16>,
    comments: Vec<String>,
    /// The evaluation after the move in its comments, for White, as displayed: `+0.35`.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    /// White's expected score by this evaluation, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    chances: Option<f64>,
    /// The variations; each starts with an alternative to this move.
    lines: Vec<PageLine>,
}

#[derive(Serialize)]
pub struct Read {
    games: Vec<PageRecord>,
    /// Notes on guesses (ambiguous moves, the variant), and on errors in the text.
    notes: Vec<String>,
    /// The number of games beyond [`MAX_GAMES`], which are left out.
    left_off: usize,
}

/// Reads the games in a text, or the position if the text is a FEN or a position in Hub notation.
pub fn read(variant: Variant, text: &str) -> Result<Read, String> {
    let position = fen::parse(variant, text.trim());
    let error = match position
        .or_else(|error| hub::parse_position(variant, text.trim()).map_err(|_| error))
    {
        Ok(position) => {
            let games = vec![page_record(&GameRecord::new(position))];
            return Ok(Read { games, notes: Vec::new(), left_off: 0 });
        }
        Err(error) => error,
    };
    if is_like_fen(text.trim()) {
        return Err(error.to_string());
    }
    let sample: Vec<_> = pdn::games(text).take(pdn::MAX_SAMPLE_GAMES).collect();
    let variant = pdn::variant_of_games(variant, &sample);
    let (mut games, mut notes, mut left_off) = (Vec::new(), Vec::new(), 0);
    for game in pdn::games(text) {
        if games.len() == MAX_GAMES {
            left_off += 1;
            continue;
        }
        if game.tokens() > MAX_TOKENS {
            return Err(format!("the game has more than {MAX_TOKENS} moves, numbers and comments"));
        }
        let mut guesses = Vec::new();
        match pdn::read_any_game(variant, &game, &mut guesses) {
            Ok(record) => games.push(page_record(&record)),
            Err(BrokenGame { error, before }) => {
                let mut note = error.to_string();
                if let Some(mut record) = before.filter(|record| has_moves(record)) {
                    note += "; the rest of the game is kept as a comment";
                    keep_rest(&mut record, rest(text, error.place, game.end()));
                    games.push(page_record(&record));
                }
                notes.push(note);
            }
        }
        notes.extend(guesses.iter().take(MAX_NOTES).map(ToString::to_string));
    }
    match games.is_empty() {
        true => Err(notes.pop().unwrap_or_else(|| "neither a game nor a position".to_owned())),
        false => Ok(Read { games, notes, left_off }),
    }
}

/// Whether a text looks like a FEN: a line that begins with the side to move and a colon.
fn is_like_fen(text: &str) -> bool {
    let mut letters = text.chars();
    let side = letters.next().is_some_and(|letter| "WBwb".contains(letter));
    side && letters.as_str().starts_with(':') && !text.contains('\n')
}

/// The text from a place up to the byte offset `end`.
fn rest(text: &str, place: TextPosition, end: usize) -> &str {
    let lines = text.split_inclusive('\n').take(place.line - 1);
    let line_start = lines.map(str::len).sum();
    let mut characters = text[line_start..].char_indices();
    let column = characters.nth(place.column - 1).map_or(0, |(offset, _)| offset);
    text.get(line_start + column..end).unwrap_or_default()
}

/// Keeps the rest of a game that cannot be read as a comment after its last move, and its result.
fn keep_rest(record: &mut GameRecord, rest: &str) {
    let mut words: Vec<_> = rest.split_whitespace().collect();
    if let Some(result) = words.last().and_then(|word| ResultText::parse(word)) {
        words.pop();
        if record.terminator == ResultText::unknown() {
            record.terminator = result;
        }
    }
    let comment = words.join(" ").replace('{', "(").replace('}', ")");
    if let Some(last) = record.line.moves.last_mut().filter(|_| !comment.is_empty()) {
        last.comments.push(comment);
    }
}

fn has_moves(record: &GameRecord) -> bool {
    !record.line.moves.is_empty()
}

fn page_record(record: &GameRecord) -> PageRecord {
    let start = record.start;
    let is_start_position = start == Position::start(start.variant());
    let tags = record.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    PageRecord {
        variant: start.variant().name().to_owned(),
        start: if is_start_position { String::new() } else { fen::format(&start) },
        tags: tags.collect(),
        result: record.result().to_string(),
        line: page_line(&start, start, 0, &record.line),
    }
}

/// Converts a line that starts at `position`, `ply` plies after the start of the game.
fn page_line(start: &Position, mut position: Position, ply: usize, line: &MoveLine) -> PageLine {
    let moves = line.moves.iter().enumerate().map(|(index, annotated)| {
        let (before, ply) = (position, ply + index);
        position = before.after(annotated.mv);
        let lines = annotated.variations.iter();
        // The cast saturates.
        let score = annotated.evaluation().map(|men| Score((100.0 * men).round() as i16));
        PageAnnotated {
            hub: hub::format_move(annotated.mv),
            text: pdn::format_move(&before, annotated.mv),
            number: pdn::move_number(start, ply),
            strength: annotated.strength.clone(),
            nags: annotated.nags.clone(),
            comments: annotated.comments.clone(),
            score: score.map(|score| shown(score, Side::White)),
            chances: score.map(|score| chances(score, Side::White)),
            lines: lines.map(|line| page_line(start, before, ply, line)).collect(),
        }
    });
    PageLine { moves: moves.collect(), comments: line.comments.clone() }
}
