//! The state of a search thread.

use crate::eval::Evaluation;
use crate::game::BitGame;
use crate::position::{BitPosition, Key};
use crate::rules::Rules;
use crate::score::Score;
use crate::tt::TranspositionTable;

use super::Job;
use super::clock::Stopwatch;
use super::endings::Endings;
use super::eval_cache::EvalCache;
use super::experience::Experience;
use super::history::{Context, HistoryPlace};
use super::limits::{Control, Quiescence};
use super::open_nodes::OpenNodes;
use super::params::{MAX_PLY, NODES_PER_CHECK, Params};
use super::pool::ThreadTally;
use super::record::Step;
use super::reductions::Reductions;
use super::resume::Counts;
use super::round::Round;
use super::stack::Stack;
use super::variations::Variations;

/// What ends a search from outside.
pub(super) struct Brake<'a> {
    /// Stop and ponder-hit from other threads.
    pub(super) control: &'a Control,
    /// The clock.
    pub(super) stopwatch: Stopwatch,
    /// The maximum number of nodes of all threads.
    pub(super) nodes: u64,
    /// No new iteration starts past this many nodes.
    pub(super) soft_nodes: u64,
    /// The shared state of the threads.
    pub(super) tally: &'a ThreadTally,
    /// The thread: 0 gives the result, the others help.
    pub(super) thread: usize,
}

/// The state of a search thread.
pub(super) struct Worker<'a, R: Rules> {
    /// The game, followed by the moves of the current line.
    pub(super) line: BitGame<R>,
    /// The transposition table.
    pub(super) tt: &'a TranspositionTable,
    /// The static evaluation.
    pub(super) evaluation: &'a Evaluation,
    /// The tunables.
    pub(super) params: Params,
    /// Late move reductions.
    pub(super) reductions: Reductions,
    /// History and correction history, shared by all threads.
    pub(super) experience: &'a Experience,
    /// How bitbases are used.
    pub(super) endings: Endings<'a, R>,
    /// How captures are treated at depth zero.
    pub(super) quiescence: Quiescence,
    /// The ply at which lines end.
    pub(super) last_ply: usize,
    /// XORed into keys, to keep searches of different kinds apart in the transposition table.
    salt: u64,
    /// The state of each ply of the line.
    pub(super) stack: Stack,
    /// The principal variation from each ply of the line on.
    pub(super) variations: Variations<R::Geometry>,
    /// The nodes that other threads may finish first.
    pub(super) open_nodes: OpenNodes,
    /// The search of the root.
    pub(super) round: Round,
    /// Of a helping thread: the last round of the first thread that it has seen.
    pub(super) lead: Round,
    brake: Brake<'a>,
    is_stopped: bool,
    nodes: u64,
    /// The nodes of earlier slices.
    first_node: u64,
    leaves: u64,
    leaf_plies: u64,
}

impl<'a, R: Rules> Worker<'a, R> {
    /// A worker to search the last position of a game.
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
            quiescence: job.limits.quiescence,
            last_ply: job.limits.plies.map_or(MAX_PLY, |plies| MAX_PLY.min(plies.max(1) as usize)),
            salt: job.limits.salt() ^ endings.salt(),
            endings,
            stack: Stack::new(),
            variations: Variations::new(),
            open_nodes: OpenNodes::default(),
            round: Round::NONE,
            lead: Round::NONE,
            brake,
            is_stopped: false,
            nodes: 0,
            first_node: 0,
            leaves: 0,
            leaf_plies: 0,
        }
    }

    /// Counts a node; returns `false` once a limit has ended the search.
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
            return self.is_over();
        }
        // The first check always passes, so that there is something to report, and every slice gets
        // on.
        self.nodes > self.first_node
            && (control.is_stopped()
                || stopwatch.is_over(control)
                || stopwatch.is_paused()
                || tally.nodes() >= *nodes)
    }

    /// Whether the search, which has been ended, only pauses.
    pub(super) fn is_paused(&self) -> bool {
        let Brake { control, stopwatch, nodes, tally, .. } = &self.brake;
        stopwatch.is_paused()
            && !control.is_stopped()
            && !stopwatch.is_over(control)
            && tally.nodes() < *nodes
    }

    /// What has been counted so far.
    pub(super) fn counts(&self) -> Counts {
        Counts { nodes: self.nodes, leaves: self.leaves, leaf_plies: self.leaf_plies }
    }

    /// Counts on from there.
    pub(super) fn count_on(&mut self, counts: Counts) {
        Counts { nodes: self.nodes, leaves: self.leaves, leaf_plies: self.leaf_plies } = counts;
        self.first_node = self.nodes;
    }

    /// Whether a helping thread has nothing more to do.
    pub(super) fn is_over(&self) -> bool {
        self.brake.control.is_stopped() || self.brake.tally.is_over()
    }

    /// Ends the search of the current line.
    pub(super) fn halt(&mut self) {
        self.is_stopped = true;
    }

    /// Goes on after [`Worker::halt`].
    pub(super) fn resume(&mut self) {
        self.is_stopped = false;
    }

    /// Whether this is the first thread, which gives the result.
    #[inline(always)]
    pub(super) fn is_first(&self) -> bool {
        self.brake.thread == 0
    }

    /// Whether there is only one thread.
    #[inline(always)]
    pub(super) fn is_alone(&self) -> bool {
        self.brake.tally.busy.is_alone()
    }

    /// Plays a move in the position at a ply.
    #[inline(always)]
    pub(super) fn play(&mut self, ply: usize, step: &Step<R>) {
        let &Step { mv, ref after } = step;
        let position = self.line.position();
        let is_king = position.all_kings().has(mv.from);
        self.stack.at(ply).played = Context::new(position.side(), is_king, mv);
        self.line.play_to(mv, after);
    }

    /// Selects the history entries of a position at a ply.
    #[inline(always)]
    pub(super) fn place(&self, position: &BitPosition<R>, ply: usize) -> HistoryPlace {
        HistoryPlace { side: position.side(), contexts: self.stack.contexts(ply) }
    }

    /// Prefetches what the search of a position to a depth will look up.
    #[inline(always)]
    pub(super) fn prefetch(&self, position: &BitPosition<R>, depth: i32) {
        self.evaluations().prefetch(position.key());
        if depth > 0 {
            self.tt.prefetch(self.key(position));
        }
    }

    /// The static evaluations of this thread.
    #[inline(always)]
    fn evaluations(&self) -> &EvalCache {
        &self.experience.evaluations[self.brake.thread]
    }

    /// The key of a position in the transposition table.
    #[inline(always)]
    pub(super) fn key(&self, position: &BitPosition<R>) -> Key {
        Key(position.key().0 ^ self.salt)
    }

    /// The score of a quiet position that a bitbase knows; it must have legal moves.
    #[inline(always)]
    pub(super) fn known(&self, position: &BitPosition<R>, ply: usize) -> Option<Score> {
        self.endings.known(position, ply, &self.line)
    }

    /// The static evaluation of a quiet position, corrected.
    #[inline(always)]
    pub(super) fn evaluate(&self, position: &BitPosition<R>) -> Score {
        self.evaluate_twice(position).1
    }

    /// The static evaluation of a quiet position, not corrected.
    #[inline(always)]
    fn raw(&self, position: &BitPosition<R>) -> Score {
        self.evaluations().get_or(position.key(), || self.evaluation.score(position))
    }

    /// The static evaluation of a quiet position, raw and corrected.
    #[inline(always)]
    pub(super) fn evaluate_twice(&self, position: &BitPosition<R>) -> (Score, Score) {
        let raw = self.raw(position);
        let corrected = self.experience.correction.apply(position, raw, &self.params);
        (raw, self.endings.lean(position, corrected))
    }

    /// Counts the node as a leaf for the mean depth, and returns its score.
    #[inline(always)]
    pub(super) fn leaf(&mut self, ply: usize, score: Score) -> Score {
        self.leaves += 1;
        self.leaf_plies += ply as u64;
        score
    }

    /// Whether a limit or another thread has ended the search of the current line.
    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Nodes searched by all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.brake.tally.set_nodes(self.brake.thread, self.nodes);
        self.brake.tally.nodes()
    }

    /// Whether the soft node limit forbids a further iteration.
    pub(super) fn has_enough_nodes(&self) -> bool {
        self.nodes() >= self.brake.soft_nodes
    }

    /// The mean depth of the leaves, in plies from the root.
    pub(super) fn mean_depth(&self) -> f64 {
        self.leaf_plies as f64 / self.leaves.max(1) as f64
    }

    /// The shared state of the threads.
    #[inline(always)]
    pub(super) fn tally(&self) -> &'a ThreadTally {
        self.brake.tally
    }

    /// What ends the search.
    pub(super) fn brake(&self) -> &Brake<'a> {
        &self.brake
    }

    /// The same, mutable, to record iterations.
    pub(super) fn brake_mut(&mut self) -> &mut Brake<'a> {
        &mut self.brake
    }
}
