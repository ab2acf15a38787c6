//! How the root is handled, given what the bitbases know.
//!
//! If they do not know the root, it is searched, with positions they know as leaves. If they know
//! it to the ply, nothing is searched. Otherwise only the moves that keep its value are searched: a
//! drawn root as if there were no bitbases, to set problems; a won or lost one for a way to win
//! through positions that are won.

use std::time::Duration;

use crate::bitbase::{BitbaseSet, RatedMove, Value, Verdict};
use crate::board::{BitMove, Geometry, MoveList};
use crate::game::BitGame;
use crate::rules::Rules;
use crate::score::Score;

use super::endings::{Endings, at};
use super::report::Info;

/// How the root is handled.
pub(super) struct Plan<'a, R: Rules> {
    /// The moves to search.
    pub(super) moves: MoveList<R::Geometry>,
    /// How bitbases are used below the root.
    pub(super) endings: Endings<'a, R>,
    /// All moves with their verdicts, best first; empty if bitbases do not know them.
    rated: Vec<RatedMove<R>>,
    bitbases: &'a BitbaseSet<R>,
}

impl<'a, R: Rules> Plan<'a, R> {
    /// The plan for the last position of a game, which must have legal moves.
    pub(super) fn new(
        game: &BitGame<R>,
        bitbases: &'a BitbaseSet<R>,
        moves: &MoveList<R::Geometry>,
    ) -> Self {
        let position = game.position();
        // A capture may lead into a known ending.
        let is_near = position.occupied().len() <= bitbases.pieces() + 1;
        let rated = if is_near { bitbases.rated_moves(position) } else { None }.unwrap_or_default();
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

    /// The verdict of the bitbases on the root.
    fn verdict(&self) -> Option<Verdict> {
        self.rated.first().map(|&(_, verdict)| verdict)
    }

    /// The lines of the best moves to the end of the game; `None` if a search is needed: not
    /// everything is known, or a draw by the rules intervenes.
    pub(super) fn lines(
        &self,
        game: &BitGame<R>,
        multipv: usize,
    ) -> Option<Vec<Info<BitMove<R::Geometry>>>> {
        self.verdict()?.plies?;
        let best = (1..).zip(&self.rated).take(multipv.max(1));
        best.map(|(rank, &rated)| Some(info(rank, rated.1, self.way(game, rated)?))).collect()
    }

    /// The line from a move to the end of the game; just the move if there is no known end. `None`
    /// if a draw by the rules intervenes.
    fn way(
        &self,
        game: &BitGame<R>,
        (mv, verdict): RatedMove<R>,
    ) -> Option<Vec<BitMove<R::Geometry>>> {
        let mut line = vec![mv];
        if verdict.plies.is_some() {
            let mut game = game.clone();
            game.play(mv);
            line.extend(self.bitbases.line_in_game(&game)?);
        }
        Some(line)
    }

    /// Lines of the moves that were not searched, up to `multipv` lines in all.
    pub(super) fn other_lines(&self, multipv: usize) -> Vec<Info<BitMove<R::Geometry>>> {
        let others = (1..).zip(&self.rated).take(multipv).skip(self.moves.len());
        others.map(|(rank, &(mv, verdict))| info(rank, verdict, vec![mv])).collect()
    }

    /// The line of a search, with the score of the bitbases unless its own is a forced end of the
    /// game.
    pub(super) fn claimed(&self, info: &Info<BitMove<R::Geometry>>) -> Info<BitMove<R::Geometry>> {
        let score = match self.verdict() {
            Some(Verdict { value, .. }) if info.score.plies_to_end().is_none() => at(value, 0),
            _ => info.score,
        };
        Info { score, ..info.clone() }
    }
}

/// The line of a bitbase verdict.
fn info<G: Geometry>(rank: u32, verdict: Verdict, pv: Vec<BitMove<G>>) -> Info<BitMove<G>> {
    let depth = pv.len() as u32;
    let score = match (verdict.value, verdict.plies.map(u32::from)) {
        (Value::Win, Some(plies)) => Score::win_in(plies),
        (Value::Loss, Some(plies)) => Score::loss_in(plies),
        (value, _) => at(value, 0),
    };
    let mean_depth = f64::from(depth);
    Info { rank, depth, mean_depth, score, nodes: 0, time: Duration::ZERO, pv }
}
