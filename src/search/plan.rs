//! What is to be done about a root, by what bitbases tell of it.
//!
//! If they do not know it, it is searched, and a position below that they know is a leaf. If they know it
//! ply by ply, there is nothing to search. Else only the moves are searched that keep its value: a drawn
//! root as if there were no bitbases, to set problems; a won one, or a lost one, for a way to win through
//! positions that are won.

use std::time::Duration;

use crate::bitbase::{Bitbases, Rated, Value, Verdict};
use crate::board::{Geometry, Move, MoveList};
use crate::game::Game;
use crate::rules::Rules;
use crate::score::Score;

use super::endings::{Endings, at};
use super::report::Info;

/// What is to be done about a root.
pub(super) struct Plan<'a, R: Rules> {
    /// The moves that are worth a search.
    pub(super) moves: MoveList<R::Geometry>,
    /// What bitbases tell below the root.
    pub(super) endings: Endings<'a, R>,
    /// All moves, the best first; empty if bitbases do not know them.
    rated: Vec<Rated<R>>,
    bitbases: &'a Bitbases<R>,
}

impl<'a, R: Rules> Plan<'a, R> {
    /// The plan for the last position of a game, which has moves.
    pub(super) fn new(
        game: &Game<R>,
        bitbases: &'a Bitbases<R>,
        moves: &MoveList<R::Geometry>,
    ) -> Self {
        let position = game.position();
        // A capture may lead into known endings.
        let is_near = position.occupied().len() <= bitbases.pieces() + 1;
        let rated = if is_near { bitbases.rated(position) } else { None }.unwrap_or_default();
        let mut plan = Plan { moves: moves.clone(), endings: Endings::Silent, rated, bitbases };
        if let Some(Verdict { value, .. }) = plan.verdict() {
            let keeps = plan.rated.iter().filter(|(_, verdict)| verdict.value == value);
            plan.moves = keeps.map(|&(mv, _)| mv).collect();
        }
        plan.endings = match plan.verdict().map(|verdict| verdict.value) {
            _ if bitbases.pieces() == 0 => Endings::Silent,
            None => Endings::Values(bitbases),
            Some(Value::Draw) => Endings::Drawn,
            Some(Value::Win) => Endings::Wins(bitbases, position.side()),
            Some(Value::Loss) => Endings::Wins(bitbases, position.side().opponent()),
        };
        plan
    }

    /// What bitbases tell of the root.
    fn verdict(&self) -> Option<Verdict> {
        self.rated.first().map(|&(_, verdict)| verdict)
    }

    /// The lines of the best moves to the end of the game, if all is known and no draw by the rules
    /// comes between: there is nothing to search.
    pub(super) fn lines(&self, game: &Game<R>, multipv: usize) -> Option<Vec<Info<R::Geometry>>> {
        self.verdict()?.plies?;
        let best = (1..).zip(&self.rated).take(multipv.max(1));
        best.map(|(rank, &rated)| Some(info(rank, rated.1, self.way(game, rated)?))).collect()
    }

    /// The way from a move on to the end of the game; only the move where there is no end. `None` if the
    /// rules say draw on the way.
    fn way(&self, game: &Game<R>, (mv, verdict): Rated<R>) -> Option<Vec<Move<R::Geometry>>> {
        let mut line = vec![mv];
        if verdict.plies.is_some() {
            let mut game = game.clone();
            game.play(mv);
            line.extend(self.bitbases.way(&game)?);
        }
        Some(line)
    }

    /// Lines with the moves that were not searched, for those who want to see so many.
    pub(super) fn other_lines(&self, multipv: usize) -> Vec<Info<R::Geometry>> {
        let others = (1..).zip(&self.rated).take(multipv).skip(self.moves.len());
        others.map(|(rank, &(mv, verdict))| info(rank, verdict, vec![mv])).collect()
    }

    /// What a search has found, with the score that is known to be right.
    pub(super) fn claimed(&self, info: &Info<R::Geometry>) -> Info<R::Geometry> {
        let score = match self.verdict() {
            Some(Verdict { value, .. }) if info.score.plies_to_end().is_none() => at(value, 0),
            _ => info.score,
        };
        Info { score, ..info.clone() }
    }
}

/// A line that bitbases tell.
fn info<G: Geometry>(rank: u32, verdict: Verdict, pv: Vec<Move<G>>) -> Info<G> {
    let depth = pv.len() as u32;
    let score = match (verdict.value, verdict.plies.map(u32::from)) {
        (Value::Win, Some(plies)) => Score::win_in(plies),
        (Value::Loss, Some(plies)) => Score::loss_in(plies),
        (value, _) => at(value, 0),
    };
    let mean_depth = f64::from(depth);
    Info { rank, depth, mean_depth, score, nodes: 0, time: Duration::ZERO, pv }
}
