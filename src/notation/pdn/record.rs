//! A game as in PDN: an annotated tree of moves.

use crate::board::Move;
use crate::erased::{Game, Position};

use super::{Clocks, ResultText, Tags};

/// A game with its tags and annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// The tags except those derived from other fields: `FEN` and `SetUp`, and `GameType` and
    /// `Variant` unless they hold more than the variant.
    pub tags: Tags,
    /// The start position.
    pub start: Position,
    /// The main line.
    pub line: MoveLine,
    /// The result that ends the move text, `*` if the file gives it only in a tag or not at all.
    pub terminator: ResultText,
}

/// The moves of a main line or a side line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveLine {
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<AnnotatedMove>,
}

/// A move with its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnnotatedMove {
    /// The move.
    pub mv: Move,
    /// Its strength marks: `!`, `?!`, `(?)`, `*` for a forced move.
    pub strength: String,
    /// Its numeric annotation glyphs (NAGs): 1 for `$1`.
    pub nags: Vec<u16>,
    /// The comments after it, with runs of white space collapsed to one blank.
    pub comments: Vec<String>,
    /// The side lines: each starts with an alternative to the move.
    pub variations: Vec<MoveLine>,
}

impl AnnotatedMove {
    /// A move without annotations.
    pub fn new(mv: Move) -> Self {
        AnnotatedMove {
            mv,
            strength: String::new(),
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }

    /// The clocks after the move, `None` unless a comment gives them.
    pub fn clocks(&self) -> Option<Clocks> {
        self.comments.iter().find_map(|comment| Clocks::find(comment))
    }
}

impl GameRecord {
    /// A game without moves.
    pub fn new(start: Position) -> Self {
        GameRecord {
            tags: Tags::default(),
            start,
            line: MoveLine::default(),
            terminator: ResultText::unknown(),
        }
    }

    /// The record of a game, without tags and annotations.
    pub fn from_game(game: &Game) -> Self {
        let mut record = GameRecord::new(*game.start());
        record.line.moves = game.moves().into_iter().map(AnnotatedMove::new).collect();
        record
    }

    /// Sets the result at the end of the moves and in the tag `Result`: as [`ResultText::parse`]
    /// reads it, else `*`.
    pub fn set_result(&mut self, text: &str) {
        self.tags.set("Result", text);
        self.terminator = ResultText::parse(text).unwrap_or_else(ResultText::unknown);
    }

    /// The main line as a game.
    pub fn game(&self) -> Game {
        let mut game = Game::from_position(self.start);
        for annotated in &self.line.moves {
            game.play(annotated.mv);
        }
        game
    }

    /// The result: the one that ends the moves, else the tag `Result`, else `*`.
    pub fn result(&self) -> ResultText {
        let unknown = ResultText::unknown();
        if self.terminator != unknown {
            return self.terminator.clone();
        }
        let tag = self.tags.get("Result");
        tag.and_then(ResultText::parse_with_points).unwrap_or(unknown)
    }
}
