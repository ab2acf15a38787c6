//! Formats a game as PDN.

use crate::board::Side;
use crate::erased::Position;
use crate::notation::fen;
use crate::rules::Variant;

use super::moves::{SquareNames, format_move_as, move_number};
use super::record::{AnnotatedMove, GameRecord, MoveLine, ResultText, Tags};

/// The output format of a game. The default is PDN 3.0 with the usual square names of the variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PdnFormat {
    /// The notation for squares.
    pub squares: SquareNames,
    /// The notation for results.
    pub results: ResultPoints,
    /// Whether the second player's moves are put in brackets, as in books. If so, comments and side
    /// lines are left out.
    pub has_brackets: bool,
}

/// The notation for results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ResultPoints {
    /// As in the record.
    #[default]
    Unchanged,
    /// Two points for a win: `2-0`, `1-1`.
    Two,
    /// One point for a win, as in chess: `1-0`, `1/2-1/2`.
    One,
}

impl ResultPoints {
    /// Converts a result to this notation. An unknown result is left unchanged.
    fn converted(self, result: &ResultText) -> ResultText {
        let Some(winner) = result.winner() else {
            return result.clone();
        };
        let text = match (self, winner) {
            (ResultPoints::Unchanged, _) => return result.clone(),
            (ResultPoints::Two, _) => ResultText::of(winner),
            (ResultPoints::One, Some(Side::White)) => "1-0",
            (ResultPoints::One, None) => "1/2-1/2",
            (ResultPoints::One, Some(Side::Black)) => "0-1",
        };
        ResultText::parse(text).unwrap_or_else(|| result.clone())
    }
}

/// Maximum length of a line of moves, in characters. Only a single word may be longer.
const MAX_COLUMNS: usize = 80;

/// Formats a game as PDN 3.0: tags, an empty line, the moves with their annotations, and the
/// terminator. In a file, games are separated by an empty line.
///
/// [`read_game`](super::read_game) restores the record if a file can represent every comment, i.e.
/// if no comment is empty, contains `}`, or has anything but single spaces between words.
pub fn write_game(record: &GameRecord) -> String {
    write_game_as(record, PdnFormat::default())
}

/// Formats a game like [`write_game`], but in the given format.
pub fn write_game_as(record: &GameRecord, format: PdnFormat) -> String {
    let mut text = String::new();
    let mut tags = with_derived_tags(record);
    if let Some(result) = tags.get("Result").and_then(ResultText::parse_tag) {
        tags.set("Result", format.results.converted(&result).as_str());
    }
    for (name, value) in tags.iter() {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    let mut moves = MoveText { words: Vec::new(), start: record.start, format };
    moves.line(&record.line, record.start, 0);
    moves.push(format.results.converted(&record.terminator).as_str());
    text.push('\n');
    text.push_str(&wrapped(&moves.words));
    text
}

/// The tags of a record, including the derived tags for the variant and the start position.
fn with_derived_tags(record: &GameRecord) -> Tags {
    let variant = record.start.variant();
    let mut tags = record.tags.clone();
    if tags.get("GameType").is_none() {
        let (name, value) = game_tag(variant);
        tags.set(name, &value);
    }
    if record.start != Position::start(variant) {
        tags.set("SetUp", "1");
        tags.set("FEN", &fen::format(&record.start));
    }
    tags
}

/// The tag that specifies a variant: its number in PDN, or its name if it has no number.
pub fn game_tag(variant: Variant) -> (&'static str, String) {
    match variant.setup().pdn_game_type {
        Some(number) => ("GameType", number.to_string()),
        None => ("Variant", variant.name().to_owned()),
    }
}

/// Collects the words of the movetext.
struct MoveText {
    words: Vec<String>,
    /// The start position of the game.
    start: Position,
    format: PdnFormat,
}

impl MoveText {
    fn push(&mut self, word: impl Into<String>) {
        self.words.push(word.into());
    }

    fn comments(&mut self, comments: &[String]) {
        let comments = if self.format.has_brackets { &[] } else { comments };
        for comment in comments {
            let text = comment.replace('}', ")");
            let mut words = text.split_whitespace().peekable();
            if words.peek().is_none() {
                continue;
            }
            self.push("{");
            for word in words {
                self.push(word);
            }
            self.push("}");
        }
    }

    /// Adds a line whose first move is ply number `ply` of the game, starting at 0.
    fn line(&mut self, line: &MoveLine, start: Position, ply: usize) {
        self.comments(&line.comments);
        let mut position = start;
        let mut is_continued = false;
        for (annotated, ply) in line.moves.iter().zip(ply..) {
            self.number(ply, is_continued);
            self.annotated(annotated, position, ply);
            position = position.after(annotated.mv);
            is_continued = annotated.variations.is_empty();
        }
    }

    /// Adds the move number of a ply: `1.`, or `1...` for the second move of a pair. `1...` is
    /// omitted if the first move of the pair directly precedes it, without side lines in between
    /// (`is_continued`). It is omitted even after a comment, because pydraughts cannot read a move
    /// number that is repeated after a comment.
    fn number(&mut self, ply: usize, is_continued: bool) {
        let number = move_number(&self.start, ply);
        if !is_continued || !number.ends_with("...") {
            self.push(number);
        }
    }

    fn annotated(&mut self, annotated: &AnnotatedMove, position: Position, ply: usize) {
        let text = format_move_as(&position, annotated.mv, self.format.squares);
        let text = format!("{text}{}", annotated.strength);
        if self.format.has_brackets {
            let is_first = position.side() == position.variant().setup().first;
            return self.push(if is_first { text } else { format!("({text})") });
        }
        self.push(text);
        for nag in &annotated.nags {
            self.push(format!("${nag}"));
        }
        self.comments(&annotated.comments);
        for variation in &annotated.variations {
            self.push("(");
            self.line(variation, position, ply);
            self.push(")");
        }
    }
}

/// Joins words with spaces and line breaks.
fn wrapped(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > MAX_COLUMNS {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
    text
}
