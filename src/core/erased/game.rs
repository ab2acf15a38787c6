//! Games of any variant.

use std::any::Any;
use std::fmt::Debug;

use crate::board::Move;
use crate::game::{Outcome, Reason};
use crate::rules::Variant;

use super::any_rules::any_rules;
use super::position::Position;

/// A game from a starting position, with all the history the draw rules need.
#[derive(Debug)]
pub struct Game {
    start: Position,
    position: Position,
    /// The same game on bitboards, which records the moves and applies the draw rules.
    inner: Box<dyn AnyGame>,
}

/// A game on bitboards, regardless of its type.
pub trait AnyGame: Debug + Send + Sync {
    /// The underlying type, for downcasts.
    fn as_any(&self) -> &dyn Any;

    /// A copy of the game.
    fn copy(&self) -> Box<dyn AnyGame>;

    /// See [`Game::play`]. Returns the position after the move; `before` is the one before it.
    fn play(&mut self, before: &Position, mv: Move) -> Position;

    /// See [`Game::undo`]. Returns the move and the position before it; `variant` is that of the
    /// game.
    fn undo(&mut self, variant: Variant) -> Option<(Move, Position)>;

    /// The number of moves played.
    fn plies(&self) -> usize;

    /// The moves so far.
    fn moves(&self) -> Vec<Move>;

    /// Every position so far, the start first; `variant` is that of the game.
    fn positions(&self, variant: Variant) -> Vec<Position>;

    /// See [`Game::outcome`].
    fn outcome(&self) -> Option<Outcome>;

    /// See [`Game::occurrences`].
    fn occurrences(&self) -> usize;

    /// See [`Game::reversible_plies`].
    fn reversible_plies(&self) -> usize;

    /// See [`Game::memory`].
    fn memory(&self) -> usize;

    /// See [`Game::draw`].
    fn draw(&self) -> Option<Reason>;

    /// See [`Game::limit`].
    fn limit(&self) -> Option<Reason>;
}

impl Clone for Game {
    fn clone(&self) -> Self {
        Game { start: self.start, position: self.position, inner: self.inner.copy() }
    }
}

/// Games are equal if they have the same moves from the same starting position.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.start == other.start && self.moves() == other.moves()
    }
}

impl Eq for Game {}

impl Game {
    /// A game that starts from a position.
    pub fn new(start: Position) -> Self {
        Game { start, position: start, inner: any_rules(start.variant()).game(&start) }
    }

    /// A game from the start position of a variant.
    pub fn start_of(variant: Variant) -> Self {
        Game::new(Position::start(variant))
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.start.variant()
    }

    /// The position the game started from.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Every position so far, the start first: one more than there are moves.
    pub fn positions(&self) -> Vec<Position> {
        self.inner.positions(self.variant())
    }

    /// The moves so far.
    pub fn moves(&self) -> Vec<Move> {
        self.inner.moves()
    }

    /// The number of moves played.
    pub fn plies(&self) -> usize {
        self.inner.plies()
    }

    /// Plays a legal move. A draw does not end the game by itself: the caller checks
    /// [`Game::outcome`].
    ///
    /// # Panics
    ///
    /// A square of the move is not on the board.
    pub fn play(&mut self, mv: Move) {
        self.position = self.inner.play(&self.position, mv);
    }

    /// Plays a move if it is legal; otherwise returns `false` and changes nothing.
    pub fn try_play(&mut self, mv: Move) -> bool {
        let is_legal = self.position.legal_moves().contains(&mv);
        if is_legal {
            self.play(mv);
        }
        is_legal
    }

    /// Takes back the last move; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let (mv, position) = self.inner.undo(self.variant())?;
        self.position = position;
        Some(mv)
    }

    /// The outcome of the game; `None` while it goes on. A win takes precedence over a draw: the
    /// last move within a limit may still win.
    pub fn outcome(&self) -> Option<Outcome> {
        self.inner.outcome()
    }

    /// The number of occurrences of the current position, itself included.
    pub fn occurrences(&self) -> usize {
        self.inner.occurrences()
    }

    /// Plies since the last conversion, that is, capture or man move.
    pub fn reversible_plies(&self) -> usize {
        self.inner.reversible_plies()
    }

    /// The number of plies the draw rules look back, at most the whole game: a game that starts
    /// there and has the same moves since is drawn, now and later, exactly when this one is.
    pub fn memory(&self) -> usize {
        self.inner.memory()
    }

    /// The rule by which the game is drawn now, provided that the side to move has a move.
    pub fn draw(&self) -> Option<Reason> {
        self.inner.draw()
    }

    /// The move limit that is reached, provided that the side to move has a move.
    pub fn limit(&self) -> Option<Reason> {
        self.inner.limit()
    }

    /// The game on bitboards.
    pub(super) fn inner(&self) -> &dyn AnyGame {
        self.inner.as_ref()
    }
}
