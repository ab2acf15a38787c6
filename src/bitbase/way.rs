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

    /// The moves to the end of a game, both sides making the best ones, the first of equals. `None` if
    /// it has no known end, or if the rules say draw on the way.
    pub fn way(&self, game: &Game<R>) -> Option<Vec<Move<R::Geometry>>> {
        let plies = self.verdict(game.position())?.plies?;
        let mut line = game.clone();
        for _ in 0..plies {
            if line.draw().is_some() {
                return None;
            }
            let (mv, _) = *self.rated(line.position())?.first()?;
            line.play(mv);
        }
        Some(line.moves()[game.moves().len()..].to_vec())
    }
}
