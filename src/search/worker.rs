//! The state of one searching thread.

use crate::board::Move;
use crate::eval::Evaluation;
use crate::game::Game;
use crate::position::{Key, Position};
use crate::rules::Rules;
use crate::score::Score;
use crate::tt::Table;

use super::Job;
use super::clock::Stopwatch;
use super::endings::Endings;
use super::experience::Experience;
use super::history::{Context, Place};
use super::limits::Control;
use super::params::{NODES_PER_CHECK, Params};
use super::pool::Tally;
use super::reductions::Reductions;
use super::stack::Stack;
use super::variations::Variations;

/// What ends a search from outside.
pub(super) struct Brake<'a> {
    /// The signals of other threads.
    pub(super) control: &'a Control,
    /// The time.
    pub(super) stopwatch: Stopwatch,
    /// The greatest number of nodes of all threads.
    pub(super) nodes: u64,
    /// After so many no iteration begins.
    pub(super) soft_nodes: u64,
    /// What all threads of the search have done.
    pub(super) tally: &'a Tally,
    /// The thread: 0 is the one whose result counts, the others help.
    pub(super) thread: usize,
}

/// The state of one searching thread.
pub(super) struct Worker<'a, R: Rules> {
    /// The game, then the moves of the line that is searched.
    pub(super) line: Game<R>,
    /// What is known about positions.
    pub(super) tt: &'a Table,
    /// What tells the value of positions.
    pub(super) evaluation: &'a Evaluation<R>,
    /// The tunables.
    pub(super) params: Params,
    /// How much less deep late moves are searched.
    pub(super) reductions: Reductions,
    /// What has been learned about moves and the evaluation.
    pub(super) experience: &'a Experience,
    /// What bitbases tell.
    pub(super) endings: Endings<'a, R>,
    /// What is known about each ply of the line.
    pub(super) stack: Stack,
    /// The best moves found from each ply of the line on.
    pub(super) variations: Variations<R::Geometry>,
    brake: Brake<'a>,
    is_stopped: bool,
    nodes: u64,
    leaves: u64,
    leaf_plies: u64,
}

impl<'a, R: Rules> Worker<'a, R> {
    /// A worker that will search the last position of a game.
    pub(super) fn new(
        job: &Job<'a, R>,
        endings: Endings<'a, R>,
        experience: &'a Experience,
        brake: Brake<'a>,
    ) -> Self {
        Worker {
            line: job.game.clone(),
            tt: job.tt,
            evaluation: job.evaluation,
            params: job.params,
            reductions: Reductions::new(&job.params),
            experience,
            endings,
            stack: Stack::new(),
            variations: Variations::new(),
            brake,
            is_stopped: false,
            nodes: 0,
            leaves: 0,
            leaf_plies: 0,
        }
    }

    /// Counts a node; returns `false`, also from then on, if a limit does not let the search go on.
    #[inline(always)]
    pub(super) fn enter(&mut self) -> bool {
        if self.nodes >= self.brake.nodes
            || (self.nodes.is_multiple_of(NODES_PER_CHECK) && self.is_braked())
        {
            self.is_stopped = true;
        } else {
            self.nodes += 1;
        }
        !self.is_stopped
    }

    #[cold]
    fn is_braked(&self) -> bool {
        let Brake { control, stopwatch, nodes, tally, thread, .. } = &self.brake;
        tally.set_nodes(*thread, self.nodes);
        if *thread > 0 {
            return control.is_stopped() || tally.is_over();
        }
        // The first nodes are free, so that there is always something to tell.
        self.nodes > 0
            && (control.is_stopped() || stopwatch.is_over(control) || tally.nodes() >= *nodes)
    }

    /// Plays a move of the position at a ply.
    #[inline(always)]
    pub(super) fn play(&mut self, ply: usize, mv: Move<R::Geometry>) {
        let position = self.line.position();
        let is_king = position.all_kings().has(mv.from);
        self.stack.at(ply).played = Context::new(position.side(), is_king, mv);
        self.line.play(mv);
    }

    /// Where in the history a position at a ply belongs.
    #[inline(always)]
    pub(super) fn place(&self, position: &Position<R>, ply: usize) -> Place {
        Place { side: position.side(), contexts: self.stack.contexts(ply) }
    }

    /// The key of a position in the transposition table.
    #[inline(always)]
    pub(super) fn key(&self, position: &Position<R>) -> Key {
        Key(position.key().0 ^ self.endings.salt())
    }

    /// The score of a quiet position with moves that a bitbase knows.
    #[inline(always)]
    pub(super) fn known(&self, position: &Position<R>, ply: usize) -> Option<Score> {
        self.endings.known(position, ply, &self.line)
    }

    /// The evaluation of a quiet position, corrected by experience.
    #[inline(always)]
    pub(super) fn evaluate(&self, position: &Position<R>) -> Score {
        self.evaluate_twice(position).1
    }

    /// The evaluation of a quiet position, as it is and corrected.
    #[inline(always)]
    pub(super) fn evaluate_twice(&self, position: &Position<R>) -> (Score, Score) {
        let raw = self.evaluation.score(position);
        let corrected = self.experience.correction.apply(position, raw, &self.params);
        (raw, self.endings.lean(position, corrected))
    }

    /// Counts the node as a leaf, for the mean depth; returns its score.
    #[inline(always)]
    pub(super) fn leaf(&mut self, ply: usize, score: Score) -> Score {
        self.leaves += 1;
        self.leaf_plies += ply as u64;
        score
    }

    /// Whether a limit has ended the search.
    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Nodes searched, by all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.brake.tally.set_nodes(self.brake.thread, self.nodes);
        self.brake.tally.nodes()
    }

    /// Whether no further iteration may begin.
    pub(super) fn has_enough_nodes(&self) -> bool {
        self.nodes() >= self.brake.soft_nodes
    }

    /// The mean distance of the leaves from the root.
    pub(super) fn mean_depth(&self) -> f64 {
        self.leaf_plies as f64 / self.leaves.max(1) as f64
    }

    /// What all threads have done.
    #[inline(always)]
    pub(super) fn tally(&self) -> &'a Tally {
        self.brake.tally
    }

    /// What ends the search.
    pub(super) fn brake(&self) -> &Brake<'a> {
        &self.brake
    }

    /// The same, to take note of iterations.
    pub(super) fn brake_mut(&mut self) -> &mut Brake<'a> {
        &mut self.brake
    }
}
