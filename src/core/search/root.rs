//! The root: iterative deepening with aspiration windows.

use std::iter;

use crate::board::{BitMove, MoveList};
use crate::rules::Rules;
use crate::score::{Bound, Score};
use crate::tt::Entry;

use super::limits::{BitInfo, Info, Sink};
use super::multipv::RootLines;
use super::node::{Child, bound};
use super::params::MAX_DEPTH;
use super::picker::MovePicker;
use super::smp::RootSearch;
use super::time_manager::{Iteration, TimeManager};
use super::worker::{Counts, Worker};

/// The state of a search that runs in time slices, for hosts whose only thread must also do other
/// work. It holds only data that is not in the transposition table or the histories. The default
/// starts a new search.
#[derive(Debug)]
pub struct ResumeState<M>(pub(super) Option<SavedSearch<M>>);

impl<M> Default for ResumeState<M> {
    fn default() -> Self {
        ResumeState(None)
    }
}

/// The state saved at the end of a time slice.
#[derive(Debug)]
pub(super) struct SavedSearch<M> {
    /// The clock, which keeps running between time slices.
    pub(super) time: TimeManager,
    /// The depth of the interrupted iteration.
    depth: u32,
    /// The best lines, by rank.
    lines: Vec<Info<M>>,
    counts: Counts,
}

/// The search of a root position that has a legal move.
pub struct Root<'a, R: Rules> {
    worker: Worker<'a, R>,
    /// The legal moves, most recent best moves first.
    moves: MoveList<R::Geometry>,
    /// The last reported lines.
    lines: RootLines<BitMove<R::Geometry>>,
    sink: Sink<'a, R>,
}

impl<'a, R: Rules> Root<'a, R> {
    /// A search that reports up to `multipv` lines to `sink`. There must be at least one legal
    /// move.
    pub fn new(
        worker: Worker<'a, R>,
        moves: &MoveList<R::Geometry>,
        multipv: usize,
        sink: Sink<'a, R>,
    ) -> Self {
        let lines = RootLines::new(multipv.min(moves.len()));
        let moves = ordered(&worker, moves);
        Root { moves, worker, lines, sink }
    }

    /// Runs iterative deepening, from the depth at which an earlier time slice paused, until a
    /// limit is reached or a deeper search would not change the result. Returns the best line, or
    /// `None` if the search pauses first.
    pub fn iterative_deepening(
        mut self,
        resume: &mut ResumeState<BitMove<R::Geometry>>,
        max_depth: u32,
    ) -> Option<BitInfo<R>> {
        let first = resume.0.take().map_or(1, |saved| self.resume(saved));
        for depth in first..=max_depth {
            if self.search_depth(depth).is_none() {
                if self.worker.is_paused() {
                    resume.0 = Some(self.pause(depth));
                    return None;
                }
                break;
            }
            let is_proven =
                self.lines.complete_depth().iter().all(|line| is_proven(line.score, depth));
            let stop = &mut self.worker.stop;
            if let Some(best) = self.lines.last(0) {
                let best_move = self.moves[0].into();
                stop.time.update(Iteration { best_move, score: best.score });
            }
            let is_over = is_proven || stop.time.is_up(stop.control);
            if is_over || self.worker.has_reached_soft_nodes() {
                break;
            }
        }
        for line in self.lines.finish() {
            (self.sink)(&line);
        }
        Some(self.lines.take_best().unwrap_or_else(|| self.fallback()))
    }

    /// Restores the state of an earlier time slice. Returns the depth to continue with.
    fn resume(&mut self, saved: SavedSearch<BitMove<R::Geometry>>) -> u32 {
        let best = saved.lines.iter().rev().filter_map(|line| line.pv.first());
        for mv in best {
            if let Some(index) = self.moves.iter().position(|other| other == mv) {
                self.moves[..=index].rotate_right(1);
            }
        }
        self.lines.resume(saved.lines);
        self.worker.resume_counts(saved.counts);
        saved.depth
    }

    /// The state to save for a search that pauses at `depth`.
    fn pause(mut self, depth: u32) -> SavedSearch<BitMove<R::Geometry>> {
        let (lines, counts) = (self.lines.take_all(), self.worker.counts());
        SavedSearch { time: self.worker.stop.time, depth, lines, counts }
    }

    /// Searches alongside the main thread until the main thread has its result. Performs the same
    /// root search as the main thread, or the one that the main thread will probably start next.
    pub fn help(mut self) {
        let (mut depth, mut window) = (1, None);
        while depth <= MAX_DEPTH {
            let next_window = window.take().unwrap_or_else(|| self.window(depth, 0));
            if let Some(score) = self.aspiration_search(depth, 0, next_window) {
                self.report(depth, 0, score);
                self.lines.complete_depth();
                depth += 1;
            } else if let Some(next) = self.worker.next_root_search() {
                (depth, window) = (next.depth, Some((next.alpha, next.beta)));
            } else {
                break;
            }
        }
    }

    /// Searches all requested lines to the given depth. Returns `None` if stopped.
    fn search_depth(&mut self, depth: u32) -> Option<()> {
        for rank in 0..self.lines.multipv() {
            let score = self.aspiration_search(depth, rank, self.window(depth, rank))?;
            self.report(depth, rank, score);
        }
        Some(())
    }

    /// The first aspiration window of a rank, around its last score.
    fn window(&self, depth: u32, rank: usize) -> (Score, Score) {
        let params = &self.worker.params;
        let delta = params.aspiration_delta as i16;
        match self.lines.last(rank) {
            Some(info) if depth as i32 >= params.aspiration_depth && !info.score.is_decisive() => {
                (widened(info.score, -delta), widened(info.score, delta))
            }
            _ => (-Score::INFINITY, Score::INFINITY),
        }
    }

    /// Searches the moves not taken by better ranks to a depth, widening the window until the score
    /// is inside. Returns the score, or `None` if stopped.
    fn aspiration_search(
        &mut self,
        depth: u32,
        rank: usize,
        (mut alpha, mut beta): (Score, Score),
    ) -> Option<Score> {
        let params = self.worker.params;
        let mut delta = params.aspiration_delta as i16;
        loop {
            let score = self.search_moves(depth, rank, alpha, beta)?;
            delta = (i32::from(delta) * params.aspiration_growth / 100).min(10_000) as i16;
            match bound(score, alpha, beta) {
                Bound::Exact => return Some(score),
                Bound::Upper => alpha = widened(score, -delta),
                Bound::Lower => beta = widened(score, delta),
            }
        }
    }

    /// Searches the moves from index `rank` onwards with a window; earlier moves belong to better
    /// ranks. Returns the best score, or `None` if stopped.
    ///
    /// Unlike the move loop of interior nodes, this one keeps the order of moves between
    /// iterations, reports each new best move, and prunes nothing.
    fn search_moves(
        &mut self,
        depth: u32,
        rank: usize,
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let worker = &mut self.worker;
        if rank == 0 {
            worker.start_root_search(RootSearch { depth, alpha, beta });
        }
        let position = *worker.line.position();
        let mut node = worker.node(position, 0, alpha, beta, depth as i32, false);
        node.has_capture = self.moves[0].is_capture();
        node.is_forced = self.moves.len() == 1;
        worker.static_eval(&mut node);
        worker.probe_tt(&mut node);

        let (mut best_score, mut raised_alpha) = (-Score::INFINITY, alpha);
        for place in rank..self.moves.len() {
            let child = Child::new(&node.position, self.moves[place], place - rank);
            let reduction = self.worker.late_move_reduction(&node, &child);
            let score =
                self.worker.search_child(&node, &child, node.depth - 1, reduction, raised_alpha);
            if self.worker.is_stopped {
                return None;
            }
            best_score = best_score.max(score);
            if score > raised_alpha {
                raised_alpha = score;
                self.worker.pv.extend(0, child.mv);
                self.moves[rank..=place].rotate_right(1);
                let is_better = place > 0 || self.lines.is_empty();
                if rank == 0 && is_better && self.lines.reports_better_moves() {
                    self.report(depth, rank, score);
                }
                if score >= beta {
                    break;
                }
            }
        }
        if rank == 0 {
            self.store_tt(depth, best_score, bound(best_score, alpha, beta));
        }
        Some(best_score)
    }

    /// Stores the root in the transposition table, for later searches.
    fn store_tt(&self, depth: u32, score: Score, bound: Bound) {
        let mv = self.worker.pv.root().first().map(|&mv| mv.into());
        let key = self.worker.key(self.worker.line.position());
        self.worker.tt.store(key, 0, Entry { mv, score, bound, depth: depth as u8 });
    }

    /// Reports the principal variation of a rank, whose first move is at index `rank`. If this line
    /// has overtaken those of better ranks, it moves up and the overtaken lines are reported again.
    fn report(&mut self, depth: u32, rank: usize, score: Score) {
        let info = self.info(depth, score, self.worker.pv.root().to_vec());
        let lines = self.lines.add(rank, info);
        self.moves[rank + 1 - lines.len()..=rank].rotate_right(1);
        for line in lines {
            (self.sink)(line);
        }
    }

    /// The result if time ran out before any move was searched: the first move and the static
    /// evaluation.
    fn fallback(&mut self) -> BitInfo<R> {
        let score = self.worker.evaluation.score(self.worker.line.position());
        let info = self.info(1, score, vec![self.moves[0]]);
        (self.sink)(&info);
        info
    }

    fn info(&self, depth: u32, score: Score, pv: Vec<BitMove<R::Geometry>>) -> BitInfo<R> {
        Info {
            rank: 1,
            depth,
            mean_depth: self.worker.mean_depth(),
            score,
            nodes: self.worker.nodes(),
            time: self.worker.stop.time.elapsed(),
            pv,
        }
    }
}

/// The legal moves of the root, ordered best first.
fn ordered<R: Rules>(worker: &Worker<R>, moves: &MoveList<R::Geometry>) -> MoveList<R::Geometry> {
    let position = *worker.line.position();
    let hash_move = worker.tt.probe(worker.key(&position), 0).and_then(|entry| entry.mv);
    let context = worker.history_context(&position, 0);
    let mut picker = MovePicker::new(moves);
    iter::from_fn(|| picker.next(&position, hash_move, || worker.move_ordering(0, context)))
        .collect()
}

/// Whether the score is a win or loss, by the rules or by bitbase, within `depth` plies, so that a
/// deeper search cannot find a shorter one.
fn is_proven(score: Score, depth: u32) -> bool {
    let seen = |end: Score| end.0 - score.0.abs() <= depth as i16;
    seen(Score::WIN)
        || (score.is_decisive() && score.plies_to_end().is_none() && seen(Score::BITBASE_WIN))
}

/// A bound of an aspiration window at distance `delta` from a score; infinite if outside the range
/// of evaluations.
fn widened(score: Score, delta: i16) -> Score {
    let bound = Score(score.0.saturating_add(delta));
    match bound.is_decisive() {
        false => bound,
        true if bound > Score::DRAW => Score::INFINITY,
        true => -Score::INFINITY,
    }
}
