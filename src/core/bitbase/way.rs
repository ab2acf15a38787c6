//! Playing out a game with bitbases.

use crate::board::BitMove;
use crate::game::BitGame;
use crate::movegen;
use crate::position::BitPosition;
use crate::rules::Rules;

use super::king_runs::KingRuns;
use super::set::BitbaseSet;
use super::verdict::{Verdict, best_first};

/// A move and the verdict after it, for the side that makes it.
pub type RatedMove<R> = (BitMove<<R as Rules>::Geometry>, Verdict);

impl<R: Rules> BitbaseSet<R> {
    /// All moves of a position with their verdicts, best first; `None` if one is unknown.
    ///
    /// Where the value of the position is sure despite a limit on king runs, worse moves have the
    /// verdicts without the limit: they are worth that at least.
    pub fn rated_moves(&self, position: &BitPosition<R>) -> Option<Vec<RatedMove<R>>> {
        let king_runs = match R::KING_MOVES_IN_A_ROW > 0 && self.verdict(position).is_some() {
            true => KingRuns::Ignored,
            false => self.king_runs(),
        };
        let rate = |mv| Some((mv, self.verdict_by(&position.after(mv), king_runs)?.before()));
        let rated: Vec<RatedMove<R>> =
            movegen::legal_moves(position).into_iter().map(rate).collect::<Option<_>>()?;
        let verdicts: Vec<_> = rated.iter().map(|&(_, verdict)| verdict).collect();
        let rated = best_first(&verdicts).into_iter().map(|index| rated[index]).collect();
        Some(rated)
    }

    /// The moves to the end of the game, both sides playing the best ones, the first of equals;
    /// `None` if no end is known.
    pub fn line(&self, position: &BitPosition<R>) -> Option<Vec<BitMove<R::Geometry>>> {
        let plies = usize::from(self.verdict(position)?.plies?);
        let (mut position, mut line) = (*position, Vec::new());
        while line.len() < plies {
            // A side that may not move its king can be lost sooner.
            let Some(&(mv, _)) = self.rated_moves(&position)?.first() else { break };
            position = position.after(mv);
            line.push(mv);
        }
        Some(line)
    }

    /// The moves to the end of a game, as [`BitbaseSet::line`]; also `None` if the draw rules end
    /// it before.
    pub fn line_in_game(&self, game: &BitGame<R>) -> Option<Vec<BitMove<R::Geometry>>> {
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
