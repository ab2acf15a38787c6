//! A game: its positions and moves, repetitions and draw counters.

mod material;
mod outcome;

pub use material::material;
pub use outcome::{Outcome, Reason, terminal};

use std::iter;

use crate::board::Move;
use crate::movegen;
use crate::position::Position;
use crate::rules::{Ending, Rules};

/// A game from a position on, with everything the draw rules look back to.
#[derive(Clone, Debug)]
pub struct Game<R: Rules> {
    /// Every position, the one the game starts from first: one more than moves.
    positions: Vec<Position<R>>,
    moves: Vec<Move<R::Geometry>>,
}

impl<R: Rules> Default for Game<R> {
    fn default() -> Self {
        Game::new(Position::start())
    }
}

impl<R: Rules> Game<R> {
    /// A game that starts from a position.
    pub fn new(start: Position<R>) -> Self {
        Game { positions: vec![start], moves: Vec::new() }
    }

    /// The position the game started from.
    pub fn start(&self) -> &Position<R> {
        &self.positions[0]
    }

    /// The position now.
    pub fn position(&self) -> &Position<R> {
        &self.positions[self.positions.len() - 1]
    }

    /// Every position so far, the start first.
    pub fn positions(&self) -> &[Position<R>] {
        &self.positions
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move<R::Geometry>] {
        &self.moves
    }

    /// Plays a legal move. The game does not stop at a draw: the caller asks [`Game::outcome`].
    pub fn play(&mut self, mv: Move<R::Geometry>) {
        let next = self.position().after(mv);
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Plays a move if it is legal; otherwise changes nothing and returns `false`.
    pub fn try_play(&mut self, mv: Move<R::Geometry>) -> bool {
        let is_legal = movegen::legal_moves(self.position()).contains(&mv);
        if is_legal {
            self.play(mv);
        }
        is_legal
    }

    /// Takes the last move back; `None` at the start.
    pub fn undo(&mut self) -> Option<Move<R::Geometry>> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// How the game has ended, `None` while it goes on. A win comes before a draw: the last
    /// permitted move may still win.
    pub fn outcome(&self) -> Option<Outcome> {
        terminal(self.position()).or_else(|| {
            let reason = self.draw()?;
            Some(Outcome { winner: None, reason })
        })
    }

    /// How often the position now has occurred, itself included.
    pub fn occurrences(&self) -> usize {
        let now = self.position();
        // A capture or a man's move cannot be taken back, so nothing before it can recur.
        let reversible = self.reversible_plies();
        let first = self.positions.len() - 1 - reversible;
        self.positions[first..].iter().filter(|position| *position == now).count()
    }

    /// Plies since the last capture or man's move.
    pub fn reversible_plies(&self) -> usize {
        let conversion = self
            .moves
            .iter()
            .zip(&self.positions)
            .rposition(|(mv, before)| before.is_conversion(*mv));
        self.moves.len() - conversion.map_or(0, |index| index + 1)
    }

    /// How many plies back the draw rules look, at most all of the game: a game that starts so many
    /// plies ago and has the same moves since is drawn now, and later, exactly when this one is.
    pub fn memory(&self) -> usize {
        let endings = R::DRAWS.endings.iter().map(|ending| usize::from(ending.plies));
        let longest = endings.max().unwrap_or(0);
        self.reversible_plies().max(longest).min(self.moves.len())
    }

    /// By which rule the game is drawn now, provided that the side to move has a move.
    pub fn draw(&self) -> Option<Reason> {
        let rules = R::DRAWS;
        if rules.repetition > 0 && self.occurrences() >= usize::from(rules.repetition) {
            return Some(Reason::Repetition);
        }
        self.limit()
    }

    /// Which limit of moves is reached, provided that the side to move has a move.
    pub fn limit(&self) -> Option<Reason> {
        let rules = R::DRAWS;
        if rules.king_moves > 0 && self.reversible_plies() >= usize::from(rules.king_moves) {
            return Some(Reason::KingMoves);
        }
        let ending = rules.endings.iter().find(|ending| self.has_reached(ending))?;
        Some(Reason::Ending(ending.article))
    }

    /// How many plies the count to each limit has run, that of king moves first; `None` where it has
    /// not begun.
    pub fn counts(&self) -> Vec<Option<usize>> {
        let king_moves = (R::DRAWS.king_moves > 0).then(|| self.reversible_plies());
        let endings = R::DRAWS.endings.iter().map(|ending| self.count(ending));
        iter::once(king_moves).chain(endings).collect()
    }

    /// How many plies ago the material of an ending stood on the board, the first time of those that
    /// count.
    fn count(&self, ending: &Ending) -> Option<usize> {
        let before = self.positions.iter().rev().map(material).enumerate();
        if !ending.restarts {
            let mut recent = before.take(usize::from(ending.plies) + 1);
            return recent.rfind(|(_, then)| (ending.applies)(*then)).map(|(plies, _)| plies);
        }
        let now = material(self.position());
        before
            .take_while(|(_, then)| then.is_same(&now) && (ending.applies)(*then))
            .last()
            .map(|(plies, _)| plies)
    }

    /// Whether the limit of an ending is reached: the material stood on the board `plies` ago.
    fn has_reached(&self, ending: &Ending) -> bool {
        let last = self.positions.len() - 1;
        let Some(first) = last.checked_sub(usize::from(ending.plies)) else {
            return false;
        };
        let then = material(&self.positions[first]);
        if !(ending.applies)(then) {
            return false;
        }
        !ending.restarts
            || self.positions[first..].iter().all(|position| {
                let material = material(position);
                material.is_same(&then) && (ending.applies)(material)
            })
    }
}
