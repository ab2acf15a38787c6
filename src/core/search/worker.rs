//! The state of a search thread.

use crate::board::{BitMove, Geometry, PackedMove};
use crate::eval::Evaluation;
use crate::game::BitGame;
use crate::position::{BitPosition, Key};
use crate::rules::Rules;
use crate::score::Score;
use crate::tt::TranspositionTable;

use super::Job;
use super::endings::BitbaseUse;
use super::histories::{Histories, HistoryContext, PieceTo};
use super::limits::{Control, Quiescence};
use super::params::{MAX_PLY, NODES_PER_CHECK, Params, Reductions};
use super::picker::MoveOrdering;
use super::smp::{OpenNodes, RootSearch, SharedState};
use super::time_manager::TimeManager;

/// The external conditions that end a search.
pub struct StopConditions<'a> {
    /// Stop and ponder-hit signals from other threads.
    pub control: &'a Control,
    /// The clock.
    pub time: TimeManager,
    /// The maximum number of nodes of all threads.
    pub nodes: u64,
    /// No new iteration starts after this many nodes.
    pub soft_nodes: u64,
}

/// The counters of a search thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// The number of nodes.
    pub nodes: u64,
    /// The number of leaves reached.
    leaves: u64,
    /// The sum of the distances of leaves from the root, in plies.
    leaf_plies: u64,
}

/// The state of a search thread.
pub struct Worker<'a, R: Rules> {
    /// The game, followed by the moves of the current line.
    pub line: BitGame<R>,
    /// The transposition table.
    pub tt: &'a TranspositionTable,
    /// The static evaluation.
    pub evaluation: &'a Evaluation,
    /// The tunables.
    pub params: Params,
    /// Late move reductions.
    pub reductions: Reductions,
    /// Histories, shared by all threads.
    pub histories: &'a Histories,
    /// How bitbases are used.
    pub bitbases: BitbaseUse<'a, R>,
    /// How captures are treated at depth zero.
    pub quiescence: Quiescence,
    /// The number of nodes after which the current quiescence search evaluates statically.
    pub quiescence_end: u64,
    /// The ply at which lines end.
    pub last_ply: usize,
    /// A value XORed into keys, so that searches of different kinds do not share entries in the
    /// transposition table.
    salt: u64,
    /// The state of each ply of the line.
    pub stack: Stack,
    /// The principal variation from each ply of the line.
    pub pv: PvTable<R::Geometry>,
    /// The nodes that other threads may finish first.
    pub open_nodes: OpenNodes,
    /// Whether a limit or another thread has ended the search of the current line.
    pub is_stopped: bool,
    /// The external conditions that end the search.
    pub stop: StopConditions<'a>,
    /// The state shared by all threads of the search.
    shared: &'a SharedState,
    /// The index of the thread: 0 is the main thread, which returns the result; the others help.
    thread: usize,
    /// The current root search of this thread.
    root_search: RootSearch,
    /// In a helping thread, the main thread's last root search that this thread has seen.
    main_root_search: RootSearch,
    /// The nodes and leaves searched so far.
    pub counts: Counts,
    /// The number of nodes searched in earlier time slices.
    first_node: u64,
}

impl<'a, R: Rules> Worker<'a, R> {
    /// A worker to search the last position of a game.
    pub fn new(
        job: &Job<'a, R>,
        bitbases: BitbaseUse<'a, R>,
        histories: &'a Histories,
        stop: StopConditions<'a>,
        shared: &'a SharedState,
        thread: usize,
    ) -> Self {
        Worker {
            line: job.game.clone(),
            tt: job.tt,
            evaluation: job.evaluation,
            params: job.params,
            reductions: Reductions::new(&job.params),
            histories,
            quiescence: job.limits.quiescence,
            quiescence_end: 0,
            last_ply: job.limits.plies.map_or(MAX_PLY, |plies| MAX_PLY.min(plies.max(1) as usize)),
            salt: job.limits.salt() ^ bitbases.salt(),
            bitbases,
            stack: Stack::new(),
            pv: PvTable::new(),
            open_nodes: OpenNodes::default(),
            is_stopped: false,
            stop,
            shared,
            thread,
            root_search: RootSearch::NONE,
            main_root_search: RootSearch::NONE,
            counts: Counts::default(),
            first_node: 0,
        }
    }

    /// Counts a node; returns `false` once a limit has ended the search.
    #[inline(always)]
    pub fn count_node(&mut self) -> bool {
        let nodes = self.counts.nodes;
        if nodes >= self.stop.nodes || (nodes.is_multiple_of(NODES_PER_CHECK) && self.must_stop()) {
            self.is_stopped = true;
        } else {
            self.counts.nodes += 1;
        }
        !self.is_stopped
    }

    #[cold]
    fn must_stop(&self) -> bool {
        let nodes = self.nodes();
        if !self.is_main_thread() {
            return self.is_over();
        }
        // The first check never stops the search, so that there is a result to report and every
        // time slice makes progress.
        self.counts.nodes > self.first_node
            && (self.is_limit_reached(nodes) || self.stop.time.must_pause())
    }

    fn is_limit_reached(&self, nodes: u64) -> bool {
        let StopConditions { control, time, .. } = &self.stop;
        control.is_stopped() || time.is_up(control) || nodes >= self.stop.nodes
    }

    /// Whether a search that has stopped is only paused.
    pub fn is_paused(&self) -> bool {
        self.stop.time.must_pause() && !self.is_limit_reached(self.shared.nodes())
    }

    /// Whether a helping thread must end.
    fn is_over(&self) -> bool {
        self.stop.control.is_stopped() || self.shared.is_over()
    }

    /// The number of nodes searched by all threads.
    pub fn nodes(&self) -> u64 {
        self.shared.set_nodes(self.thread, self.counts.nodes);
        self.shared.nodes()
    }

    /// Whether the soft node limit prevents another iteration.
    pub fn has_reached_soft_nodes(&self) -> bool {
        self.nodes() >= self.stop.soft_nodes
    }

    /// The counters of this thread.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Continues the counts of an earlier time slice.
    pub fn resume_counts(&mut self, counts: Counts) {
        self.counts = counts;
        self.first_node = counts.nodes;
    }

    /// Counts the node as a leaf for the mean depth, and returns its score.
    #[inline(always)]
    pub fn leaf(&mut self, ply: usize, score: Score) -> Score {
        self.counts.leaves += 1;
        self.counts.leaf_plies += ply as u64;
        score
    }

    /// The mean depth of the leaves, in plies from the root.
    pub fn mean_depth(&self) -> f64 {
        self.counts.leaf_plies as f64 / self.counts.leaves.max(1) as f64
    }

    /// Plays a move in the position at `ply`, with `after` as the resulting position.
    #[inline(always)]
    pub fn play(&mut self, ply: usize, mv: BitMove<R::Geometry>, after: &BitPosition<R>) {
        let position = self.line.position();
        let is_king = position.all_kings().has(mv.from);
        self.stack.at(ply).played = PieceTo::new(position.side(), is_king, mv);
        self.line.play_to(mv, after);
    }

    /// Prefetches the entries that the search of a position to `depth` will look up.
    #[inline(always)]
    pub fn prefetch(&self, position: &BitPosition<R>, depth: i32) {
        self.histories.evaluations[self.thread].prefetch(position.key());
        if depth > 0 {
            self.tt.prefetch(self.key(position));
        }
    }

    /// The key of a position in the transposition table.
    #[inline(always)]
    pub fn key(&self, position: &BitPosition<R>) -> Key {
        Key(position.key().0 ^ self.salt)
    }

    /// The bitbase score of a quiet position, which must have legal moves; `None` if the position
    /// has to be searched.
    #[inline(always)]
    pub fn bitbase_score(&self, position: &BitPosition<R>, ply: usize) -> Option<Score> {
        self.bitbases.score(position, ply, &self.line)
    }

    /// The corrected static evaluation of a quiet position.
    #[inline(always)]
    pub fn evaluate(&self, position: &BitPosition<R>) -> Score {
        self.evaluate_both(position).1
    }

    /// The raw and the corrected static evaluation of a quiet position.
    #[inline(always)]
    pub fn evaluate_both(&self, position: &BitPosition<R>) -> (Score, Score) {
        let cache = &self.histories.evaluations[self.thread];
        let raw = cache.get_or(position.key(), || self.evaluation.score(position));
        let corrected = self.histories.correction.apply(position, raw, &self.params);
        (raw, self.bitbases.shifted_eval(position, corrected))
    }

    /// The context that selects the history entries of a position at a ply.
    #[inline(always)]
    pub fn history_context(&self, position: &BitPosition<R>, ply: usize) -> HistoryContext {
        HistoryContext { side: position.side(), previous: self.stack.previous(ply) }
    }

    /// The data for ordering the moves of a node.
    #[inline(always)]
    pub fn move_ordering(&self, ply: usize, context: HistoryContext) -> MoveOrdering<'_> {
        MoveOrdering {
            killer_moves: self.stack.get(ply).killer_moves,
            counter_move: self.histories.moves.counter_move(context),
            history: &self.histories.moves,
            context,
            params: &self.params,
        }
    }

    /// Whether this is the main thread, which returns the result.
    #[inline(always)]
    pub fn is_main_thread(&self) -> bool {
        self.thread == 0
    }

    /// Whether there is only one thread.
    #[inline(always)]
    pub fn is_single_threaded(&self) -> bool {
        self.shared.busy_moves.is_empty()
    }

    /// Whether another thread is searching a move of the node with the given depth and key.
    #[inline(always)]
    pub fn is_busy(&self, depth: i32, key: Key, mv: BitMove<R::Geometry>) -> bool {
        self.shares_moves(depth) && self.shared.busy_moves.contains(key, mv.into())
    }

    /// Marks a move of the node with the given depth and key as being searched. Returns `false`
    /// without marking it if there is only one thread or the depth is too small.
    #[inline(always)]
    pub fn mark_busy(&self, depth: i32, key: Key, mv: BitMove<R::Geometry>) -> bool {
        let is_marked = self.shares_moves(depth);
        if is_marked {
            self.shared.busy_moves.insert(key, mv.into());
        }
        is_marked
    }

    /// Reverses [`Worker::mark_busy`].
    #[inline(always)]
    pub fn unmark_busy(&self, key: Key, mv: BitMove<R::Geometry>) {
        self.shared.busy_moves.remove(key, mv.into());
    }

    #[inline(always)]
    fn shares_moves(&self, depth: i32) -> bool {
        !self.is_single_threaded() && depth >= self.params.defer_depth
    }

    /// Whether another thread has finished one of the open nodes or, in a helping thread, the main
    /// thread has moved on to a different root search, so that the current search must be
    /// abandoned. Not inlined, as a single thread never calls it.
    #[cold]
    pub fn is_finished_elsewhere(&mut self) -> bool {
        self.is_behind_main_thread() || self.open_nodes.find_finished(self.tt)
    }

    /// Whether this is a helping thread and the main thread has started a different root search
    /// that is at least as deep.
    fn is_behind_main_thread(&mut self) -> bool {
        let main = self.shared.root_search();
        if self.is_main_thread() || main == self.main_root_search {
            return false;
        }
        self.main_root_search = main;
        main != self.root_search && main.depth >= self.root_search.depth
    }

    /// Records the root search that this thread starts.
    pub fn start_root_search(&mut self, root_search: RootSearch) {
        self.root_search = root_search;
        if self.is_main_thread() {
            self.shared.set_root_search(root_search);
        }
    }

    /// The main thread's latest root search, if it has made this thread abandon its own root
    /// search.
    pub fn next_root_search(&mut self) -> Option<RootSearch> {
        if self.main_root_search == self.root_search || self.is_over() {
            return None;
        }
        self.is_stopped = false;
        Some(self.main_root_search)
    }
}

/// The state of one ply of the current line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// The corrected static evaluation; `None` if there is a capture.
    pub eval: Option<Score>,
    /// The last two quiet moves that caused a beta cutoff at this ply, newest first.
    pub killer_moves: [Option<PackedMove>; 2],
    /// The move excluded by a singular extension search.
    pub excluded: Option<PackedMove>,
    /// The move played at this ply.
    pub played: PieceTo,
}

/// The search stack: a frame for each ply of the line, from the root.
pub struct Stack(Vec<Frame>);

impl Stack {
    fn new() -> Self {
        Stack(vec![Frame::default(); MAX_PLY + 2])
    }

    /// The frame of a ply.
    #[inline(always)]
    pub fn get(&self, ply: usize) -> &Frame {
        &self.0[ply]
    }

    /// The frame of a ply, mutable.
    #[inline(always)]
    pub fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply]
    }

    /// The last move before a ply and the one before that.
    #[inline(always)]
    fn previous(&self, ply: usize) -> [PieceTo; 2] {
        [1, 2].map(|back| match ply.checked_sub(back) {
            Some(ply) => self.0[ply].played,
            None => PieceTo::NONE,
        })
    }

    /// Whether the static evaluation is higher than two plies earlier; `true` if either one is
    /// missing.
    #[inline(always)]
    pub fn is_improving(&self, ply: usize) -> bool {
        let before = ply.checked_sub(2).and_then(|ply| self.0[ply].eval);
        match (self.0[ply].eval, before) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        }
    }

    /// Adds a quiet move that caused a beta cutoff at a ply to the killer moves of that ply.
    #[inline(always)]
    pub fn add_killer_move<G: Geometry>(&mut self, ply: usize, mv: BitMove<G>) {
        let killer_moves = &mut self.0[ply].killer_moves;
        let packed = Some(mv.into());
        if killer_moves[0] != packed {
            *killer_moves = [packed, killer_moves[0]];
        }
    }
}

/// The principal variation from each ply of the current line.
pub struct PvTable<G: Geometry>(Vec<Vec<BitMove<G>>>);

impl<G: Geometry> PvTable<G> {
    fn new() -> Self {
        PvTable(vec![Vec::new(); MAX_PLY + 2])
    }

    /// Clears the variation of a ply, for a new node.
    #[inline(always)]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the variation of a ply to a move followed by the variation of the next ply.
    #[inline]
    pub fn extend(&mut self, ply: usize, mv: BitMove<G>) {
        let (before, after) = self.0.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(mv);
        before[ply].extend_from_slice(&after[0]);
    }

    /// Sets the variation of a ply.
    pub fn set(&mut self, ply: usize, line: Vec<BitMove<G>>) {
        self.0[ply] = line;
    }

    /// The principal variation from the root.
    pub fn root(&self) -> &[BitMove<G>] {
        &self.0[0]
    }
}
