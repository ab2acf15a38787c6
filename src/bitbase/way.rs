//! Playing on to the end of the game with what bitbases know.

use std::cmp::Reverse;

use crate::board::Move;
use crate::game::Game;
use crate::movegen;
use crate::position::Position;
use crate::rules::Rules;

use super::bitbases::Bitbases;
use super::verdict::Verdict;

/// A move and how the game ends after it, for the side that makes it.
pub type Rated<R> = (Move<<R as Rules>::Geometry>, Verdict);

impl<R: Rules> Bitbases<R> {
    /// All moves of a position, the best first; `None` if one is not known.
    pub fn rated(&self, position: &Position<R>) -> Option<Vec<Rated<R>>> {
        let moves = movegen::legal_moves(position).into_iter();
        let rated = moves.map(|mv| Some((mv, self.verdict(&position.after(mv))?.before())));
        let mut rated = rated.collect::<Option<Vec<_>>>()?;
        rated.sort_by_key(|(_, verdict)| Reverse(*verdict));
        Some(rated)
    }

    /// The moves to the end, both sides making the best ones, the first of equals; `None` if there is no
    /// known end.
    pub fn line(&self, position: &Position<R>) -> Option<Vec<Move<R::Geometry>>> {
        let plies = self.verdict(position)?.plies?;
        let mut position = *position;
        let next = |_| {
            let (mv, _) = *self.rated(&position)?.first()?;
            position = position.after(mv);
            Some(mv)
        };
        (0..plies).map(next).collect()
    }

    /// The moves to the end of a game, as [`Bitbases::line`]; `None` also if the rules say draw on the
    /// way.
    pub fn way(&self, game: &Game<R>) -> Option<Vec<Move<R::Geometry>>> {
        let line = self.line(game.position())?;
        let mut game = game.clone();
        for &mv in &line {
            if game.draw().is_some() {
                return None;
            }
            game.play(mv);
        }
        Some(line)
    }
}
