//! Writing a game.

use crate::notation::fen;
use crate::position::Position;
use crate::rules::Rules;

use super::{AnnotatedMove, GameRecord, Line, Tags, format_move};

/// Columns of a line of moves, unless a word is longer.
const WIDTH: usize = 80;

/// Writes a game as PDN 3.0: tags, an empty line, the moves with everything said about them, and
/// what ends them. Several games are written one after the other with an empty line in between.
///
/// [`read_game`](super::read_game) reads the same record back if its comments are as a file can
/// have them: not empty, without `}`, words with one blank in between.
pub fn write_game<R: Rules>(record: &GameRecord<R>) -> String {
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

/// The tags, with those that say which game it is and where it starts.
fn with_derived_tags<R: Rules>(record: &GameRecord<R>) -> Tags {
    let mut tags = record.tags.clone();
    if tags.get("GameType").is_none() {
        match R::PDN_GAME_TYPE {
            Some(number) => tags.set("GameType", &number.to_string()),
            None => tags.set("Variant", R::VARIANT.name()),
        }
    }
    if record.start != Position::start() {
        tags.set("SetUp", "1");
        tags.set("FEN", &fen::format(&record.start));
    }
    tags
}

/// The words of the moves, in the order they are written.
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

    /// Writes a line that starts `ply` plies after the game.
    fn line<R: Rules>(&mut self, line: &Line<R>, start: Position<R>, ply: usize) {
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

    /// The number of a move: `1.`, or `1...` for the second of a pair where the first does not
    /// stand right before it.
    fn number<R: Rules>(&mut self, position: &Position<R>, ply: usize, is_continued: bool) {
        let is_first = position.side() == R::FIRST;
        // A game may start with the second of a pair; then the pairs are one ply ahead.
        let number = (ply + usize::from(is_first == (ply % 2 == 1))) / 2 + 1;
        match (is_first, is_continued) {
            (true, _) => self.push(format!("{number}.")),
            (false, false) => self.push(format!("{number}...")),
            (false, true) => {}
        }
    }

    fn annotated<R: Rules>(
        &mut self,
        annotated: &AnnotatedMove<R>,
        position: Position<R>,
        ply: usize,
    ) {
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

/// The words with blanks or line ends in between.
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
