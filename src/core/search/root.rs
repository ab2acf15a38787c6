//! The root: iterative deepening with aspiration windows.

use crate::board::{BitMove, MoveList};
use crate::rules::Rules;
use crate::score::{Bound, Score};
use crate::tt::Entry;

use super::clock::Iteration;
use super::lines::Lines;
use super::node::bound;
use super::params::MAX_DEPTH;
use super::record::{Candidate, Step};
use super::report::{Info, Sink};
use super::resume::{ResumeState, Stretch};
use super::round::Round;
use super::worker::Worker;

/// The search of a position that has a legal move.
pub(super) struct Root<'a, R: Rules> {
    worker: Worker<'a, R>,
    /// The legal moves, the most recent best ones first.
    moves: MoveList<R::Geometry>,
    /// The last reported lines, by rank.
    lines: Lines<BitMove<R::Geometry>>,
    sink: Sink<'a, R>,
}

impl<'a, R: Rules> Root<'a, R> {
    /// A search that reports to `sink`. There must be at least one legal move; `multipv` of them
    /// get a line.
    pub(super) fn new(
        worker: Worker<'a, R>,
        moves: &MoveList<R::Geometry>,
        multipv: usize,
        sink: Sink<'a, R>,
    ) -> Self {
        let lines = Lines::new(multipv.min(moves.len()));
        let moves = worker.ordered(moves);
        Root { moves, worker, lines, sink }
    }

    /// Iterative deepening, from where an earlier slice has come to, until a limit is reached or a
    /// deeper search would not change the result. Returns the best line, or nothing if the search
    /// pauses before that.
    pub(super) fn deepen(
        mut self,
        resume: &mut ResumeState<BitMove<R::Geometry>>,
        max_depth: u32,
    ) -> Option<Info<BitMove<R::Geometry>>> {
        let first = resume.0.take().map_or(1, |stretch| self.resume(stretch));
        for depth in first..=max_depth {
            if self.iterate(depth).is_none() {
                if self.worker.is_paused() {
                    resume.0 = Some(self.pause(depth));
                    return None;
                }
                break;
            }
            let is_proven = self.lines.complete().iter().all(|line| is_proven(line.score, depth));
            let brake = self.worker.brake_mut();
            if let Some(best) = self.lines.last(0) {
                let iteration = Iteration { mv: self.moves[0].into(), score: best.score };
                brake.stopwatch.note(iteration);
            }
            let is_over = brake.stopwatch.is_over(brake.control);
            if is_proven || is_over || self.worker.has_enough_nodes() {
                break;
            }
        }
        for line in self.lines.conclude() {
            (self.sink)(&line);
        }
        Some(self.lines.take_best().unwrap_or_else(|| self.guess()))
    }

    /// Goes on where an earlier slice has paused. Returns the depth.
    fn resume(&mut self, stretch: Stretch<BitMove<R::Geometry>>) -> u32 {
        let best = stretch.lines.iter().rev().filter_map(|line| line.pv.first());
        for mv in best {
            if let Some(place) = self.moves.iter().position(|other| other == mv) {
                self.moves[..=place].rotate_right(1);
            }
        }
        self.lines.resume(stretch.lines);
        self.worker.count_on(stretch.counts);
        stretch.depth
    }

    /// Where the search goes on after a pause at a depth.
    fn pause(mut self, depth: u32) -> Stretch<BitMove<R::Geometry>> {
        Stretch {
            stopwatch: self.worker.brake().stopwatch.clone(),
            depth,
            lines: self.lines.take_all(),
            counts: self.worker.counts(),
        }
    }

    /// Searches alongside the first thread until that has its result: its rounds, and those that it
    /// will probably begin next.
    pub(super) fn help(mut self) {
        let (mut depth, mut window) = (1, None);
        while depth <= MAX_DEPTH {
            let window_now = window.take().unwrap_or_else(|| self.window(depth, 0));
            if let Some(score) = self.search_rank(depth, 0, window_now) {
                self.report(depth, 0, score);
                self.lines.complete();
                depth += 1;
            } else if let Some(round) = self.worker.next_round() {
                (depth, window) = (round.depth, Some((round.alpha, round.beta)));
            } else {
                break;
            }
        }
    }

    /// Searches all ranks to a depth; `None` if stopped.
    fn iterate(&mut self, depth: u32) -> Option<()> {
        for rank in 0..self.lines.wanted() {
            let score = self.search_rank(depth, rank, self.window(depth, rank))?;
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
                (lower(info.score, delta), higher(info.score, delta))
            }
            _ => (-Score::INFINITY, Score::INFINITY),
        }
    }

    /// Searches the moves left by better ranks to a depth and returns the score; `None` if stopped.
    /// The window is widened until the score is inside.
    fn search_rank(
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
                Bound::Upper => alpha = lower(score, delta),
                Bound::Lower => beta = higher(score, delta),
            }
        }
    }

    /// Searches the moves from `rank` on with a window and returns the best score; `None` if
    /// stopped. The moves before belong to better ranks.
    fn search_moves(
        &mut self,
        depth: u32,
        rank: usize,
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let (mut best, mut low) = (-Score::INFINITY, alpha);
        if rank == 0 {
            self.worker.begin(Round { depth, alpha, beta });
        }
        let node = self.worker.root_node(&self.moves, depth as i32, alpha, beta);
        for place in rank..self.moves.len() {
            let (mv, index) = (self.moves[place], place - rank);
            let step = Step::new(&node.position, mv);
            let reduction = self.worker.reduction(&node, &step, index);
            let candidate = Candidate { step, index, depth: depth as i32 - 1, reduction };
            let score = self.worker.search_move(&node, &candidate, low);
            if self.worker.is_stopped() {
                return None;
            }
            best = best.max(score);
            if score > low {
                low = score;
                self.worker.variations.extend(0, mv);
                self.moves[rank..=place].rotate_right(1);
                let is_better = place > 0 || self.lines.is_empty();
                if rank == 0 && is_better && self.lines.takes_better_moves() {
                    self.report(depth, rank, score);
                }
                if score >= beta {
                    break;
                }
            }
        }
        if rank == 0 {
            self.remember(depth, best, bound(best, alpha, beta));
        }
        Some(best)
    }

    /// Stores the root in the transposition table, for later searches.
    fn remember(&self, depth: u32, score: Score, bound: Bound) {
        let best_move = self.worker.variations.principal().first();
        let entry = Entry { mv: best_move.map(|&mv| mv.into()), score, bound, depth: depth as u8 };
        let key = self.worker.key(self.worker.line.position());
        self.worker.tt.store(key, 0, entry);
    }

    /// Reports the principal variation of a rank, whose move is at index `rank`. If it has
    /// overtaken better ranks, it moves up and their lines are reported again.
    fn report(&mut self, depth: u32, rank: usize, score: Score) {
        let pv = self.worker.variations.principal().to_vec();
        let info = self.info(depth, score, pv);
        let lines = self.lines.add(rank, info);
        self.moves[rank + 1 - lines.len()..=rank].rotate_right(1);
        for line in lines {
            (self.sink)(line);
        }
    }

    /// The result if time ran out before any move was searched: the first move and the static
    /// evaluation.
    fn guess(&mut self) -> Info<BitMove<R::Geometry>> {
        let score = self.worker.evaluation.score(self.worker.line.position());
        let info = self.info(1, score, vec![self.moves[0]]);
        (self.sink)(&info);
        info
    }

    fn info(
        &self,
        depth: u32,
        score: Score,
        pv: Vec<BitMove<R::Geometry>>,
    ) -> Info<BitMove<R::Geometry>> {
        Info {
            rank: 1,
            depth,
            mean_depth: self.worker.mean_depth(),
            score,
            nodes: self.worker.nodes(),
            time: self.worker.brake().stopwatch.elapsed(),
            pv,
        }
    }
}

/// Whether the score is a win for either side, of the game or by a bitbase, so near that a deeper
/// search finds no nearer one.
fn is_proven(score: Score, depth: u32) -> bool {
    let seen = |end: Score| end.0 - score.0.abs() <= depth as i16;
    seen(Score::WIN)
        || (score.is_decisive() && score.plies_to_end().is_none() && seen(Score::BITBASE_WIN))
}

/// The lower bound of an aspiration window.
fn lower(score: Score, delta: i16) -> Score {
    limit(score.0.saturating_sub(delta))
}

/// The upper bound of an aspiration window.
fn higher(score: Score, delta: i16) -> Score {
    limit(score.0.saturating_add(delta))
}

/// A bound of an aspiration window, open beyond the range of evaluations.
fn limit(value: i16) -> Score {
    let limit = Score(value);
    match limit.is_decisive() {
        false => limit,
        true if limit > Score::DRAW => Score::INFINITY,
        true => -Score::INFINITY,
    }
}
