//! A game as PDN keeps it: a tree of moves with everything people say about them.

use crate::board::Move;
use crate::board::Side;
use crate::game::{Game, Outcome};
use crate::position::Position;
use crate::rules::Rules;

use super::{Clocks, GameResult, Tags};

/// A game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord<R: Rules> {
    /// The tags, without those that follow from the other fields: `FEN`, `SetUp`, and `GameType`
    /// and `Variant` unless they say more than which game it is.
    pub tags: Tags,
    /// The position the game starts from.
    pub start: Position<R>,
    /// The moves.
    pub line: Line<R>,
    /// What ends the moves in the file: the result, or `*` if that stands in a tag or nowhere.
    pub terminator: GameResult,
}

/// The moves of a game, or of a side line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<R: Rules> {
    /// What is said before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<AnnotatedMove<R>>,
}

/// A move and what is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnnotatedMove<R: Rules> {
    /// The move.
    pub mv: Move<R::Geometry>,
    /// Its strength: `!`, `?!`, `(?)`, `*` for a forced move.
    pub strength: String,
    /// Its numeric annotation glyphs: 1 for `$1`.
    pub nags: Vec<u16>,
    /// The comments behind it, blanks and line ends between words made one blank.
    pub comments: Vec<String>,
    /// The side lines that start with another move instead of it.
    pub variations: Vec<Line<R>>,
}

impl<R: Rules> Default for Line<R> {
    fn default() -> Self {
        Line { comments: Vec::new(), moves: Vec::new() }
    }
}

impl<R: Rules> AnnotatedMove<R> {
    /// A move about which nothing is said.
    pub fn new(mv: Move<R::Geometry>) -> Self {
        AnnotatedMove {
            mv,
            strength: String::new(),
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }

    /// The clocks after the move, if a comment gives them.
    pub fn clocks(&self) -> Option<Clocks> {
        self.comments.iter().find_map(|comment| Clocks::find(comment))
    }
}

impl<R: Rules> GameRecord<R> {
    /// A game without moves.
    pub fn new(start: Position<R>) -> Self {
        GameRecord {
            tags: Tags::default(),
            start,
            line: Line::default(),
            terminator: GameResult::unknown(),
        }
    }

    /// The record of a game.
    pub fn from_game(game: &Game<R>) -> Self {
        let mut record = GameRecord::new(*game.start());
        record.line.moves = game.moves().iter().map(|&mv| AnnotatedMove::new(mv)).collect();
        record
    }

    /// The main line as a game.
    pub fn game(&self) -> Game<R> {
        let mut game = Game::new(self.start);
        for annotated in &self.line.moves {
            game.play(annotated.mv);
        }
        game
    }

    /// The result: what ends the moves, or the tag `Result`; `*` if neither says anything.
    pub fn result(&self) -> GameResult {
        let unknown = GameResult::unknown();
        if self.terminator != unknown {
            return self.terminator.clone();
        }
        let tag = self.tags.get("Result");
        tag.and_then(GameResult::parse_with_points).unwrap_or(unknown)
    }

    /// Sets the tag `Result`, in the points of international draughts.
    pub fn set_outcome(&mut self, outcome: Outcome) {
        let points = match outcome.winner {
            Some(Side::White) => GameResult::WHITE,
            Some(Side::Black) => GameResult::BLACK,
            None => GameResult::DRAW,
        };
        self.tags.set("Result", points);
    }
}
