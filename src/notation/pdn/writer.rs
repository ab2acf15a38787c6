//! Formats a game as PDN.

use crate::door::Position;
use crate::notation::fen;

use super::{AnnotatedMove, GameRecord, MoveLine, Tags, format_move};

/// The most columns of a line of moves. Only a longer word exceeds it.
const WIDTH: usize = 80;

/// Formats a game as PDN 3.0: tags, an empty line, the moves with their annotations, and the
/// terminator. In a file an empty line separates games.
///
/// [`read_game`](super::read_game) restores the record if every comment has a form that a file can
/// represent: not empty, without `}`, words separated by one blank.
pub fn write_game(record: &GameRecord) -> String {
    let mut text = String::new();
    for (name, value) in with_derived_tags(record).iter() {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    let mut words = Words::default();
    words.line(&record.line, record.start, 0);
    words.push(record.terminator.as_str());
    text.push('\n');
    text.push_str(&wrapped(&words.0));
    text
}

/// The tags, including those that give the variant and the start position.
fn with_derived_tags(record: &GameRecord) -> Tags {
    let variant = record.start.variant();
    let mut tags = record.tags.clone();
    if tags.get("GameType").is_none() {
        match variant.customs().pdn_game_type {
            Some(number) => tags.set("GameType", &number.to_string()),
            None => tags.set("Variant", variant.name()),
        }
    }
    if record.start != Position::start(variant) {
        tags.set("SetUp", "1");
        tags.set("FEN", &fen::format(&record.start));
    }
    tags
}

/// The words of the move text in order.
#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn push(&mut self, word: impl Into<String>) {
        self.0.push(word.into());
    }

    fn comments(&mut self, comments: &[String]) {
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
            self.number(&position, ply, is_continued);
            self.annotated(annotated, position, ply);
            position = position.after(annotated.mv);
            is_continued = annotated.comments.is_empty() && annotated.variations.is_empty();
        }
    }

    /// Adds the number of a move: `1.`, or `1...` for the second move of a pair unless the first
    /// directly precedes it (`is_continued`).
    fn number(&mut self, position: &Position, ply: usize, is_continued: bool) {
        let is_first = position.side() == position.variant().customs().first;
        // If a game starts with the second move of a pair, pairs start at odd plies.
        let number = (ply + usize::from(is_first == (ply % 2 == 1))) / 2 + 1;
        match (is_first, is_continued) {
            (true, _) => self.push(format!("{number}.")),
            (false, false) => self.push(format!("{number}...")),
            (false, true) => {}
        }
    }

    fn annotated(&mut self, annotated: &AnnotatedMove, position: Position, ply: usize) {
        let text = format_move(&position, annotated.mv);
        self.push(format!("{text}{}", annotated.strength));
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

/// The words, separated by blanks or line ends.
fn wrapped(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
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
