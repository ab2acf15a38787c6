//! The root: iterative deepening with aspiration windows.

use crate::board::{Move, MoveList};
use crate::eval;
use crate::rules::Rules;
use crate::score::{Bound, Score};
use crate::tt::Entry;

use super::node::{Candidate, bound};
use super::params::{ASPIRATION_DELTA, ASPIRATION_DEPTH};
use super::picker::Picker;
use super::report::Info;
use super::worker::Worker;

/// The search of one position that has a legal move.
pub(super) struct Root<'a, R: Rules> {
    worker: Worker<'a, R>,
    /// The legal moves, those that were best last first.
    moves: MoveList<R::Geometry>,
    /// What was reported last.
    best: Option<Info<R::Geometry>>,
    sink: &'a mut dyn FnMut(&Info<R::Geometry>),
}

impl<'a, R: Rules> Root<'a, R> {
    /// A search that reports to `sink`. There must be at least one move.
    pub(super) fn new(
        worker: Worker<'a, R>,
        moves: MoveList<R::Geometry>,
        sink: &'a mut dyn FnMut(&Info<R::Geometry>),
    ) -> Self {
        let position = worker.line.position();
        let hash_move = worker.tt.probe(position.key(), 0).and_then(|known| known.mv);
        let mut picker = Picker::new(position, moves, hash_move, &worker.history);
        Root { moves: std::iter::from_fn(|| picker.next()).collect(), worker, best: None, sink }
    }

    /// Searches deeper and deeper, until a limit is reached or deeper makes no difference. Returns
    /// what was reported last.
    pub(super) fn deepen(mut self, max_depth: u32) -> Info<R::Geometry> {
        for depth in 1..=max_depth {
            let Some(score) = self.iterate(depth) else {
                break;
            };
            self.report(depth, score);
            let brake = self.worker.brake();
            if is_proven(score, depth) || brake.stopwatch.is_late(brake.control) {
                break;
            }
        }
        self.best.take().unwrap_or_else(|| self.guess())
    }

    /// Searches to a depth and returns the score, `None` if it was stopped. The window around the
    /// last score is widened until the score is inside.
    fn iterate(&mut self, depth: u32) -> Option<Score> {
        let mut delta = ASPIRATION_DELTA;
        let (mut alpha, mut beta) = match &self.best {
            Some(info) if depth >= ASPIRATION_DEPTH && !info.score.is_decisive() => {
                (lower(info.score, delta), higher(info.score, delta))
            }
            _ => (-Score::INFINITY, Score::INFINITY),
        };
        loop {
            let score = self.search_moves(depth, alpha, beta)?;
            delta = delta.saturating_mul(3);
            match bound(score, alpha, beta) {
                Bound::Exact => return Some(score),
                Bound::Upper => alpha = lower(score, delta),
                Bound::Lower => beta = higher(score, delta),
            }
        }
    }

    /// Searches all moves with a window and returns the best score, `None` if it was stopped.
    fn search_moves(&mut self, depth: u32, alpha: Score, beta: Score) -> Option<Score> {
        let (mut best, mut low) = (-Score::INFINITY, alpha);
        for index in 0..self.moves.len() {
            let candidate =
                Candidate { mv: self.moves[index], index, depth: depth as i32 - 1, ply: 1 };
            let score = self.worker.search_move(candidate, low, beta);
            if self.worker.is_stopped() {
                return None;
            }
            best = best.max(score);
            if score > low {
                low = score;
                self.worker.variations.extend(0, candidate.mv);
                self.moves[..=index].rotate_right(1);
                if index > 0 || self.best.is_none() {
                    self.report(depth, score);
                }
                if score >= beta {
                    break;
                }
            }
        }
        self.remember(depth, best, bound(best, alpha, beta));
        Some(best)
    }

    /// Stores the root in the table, for the searches to come.
    fn remember(&self, depth: u32, score: Score, bound: Bound) {
        let best_move = self.worker.variations.principal().first();
        let entry = Entry { mv: best_move.map(|&mv| mv.into()), score, bound, depth: depth as u8 };
        let key = self.worker.line.position().key();
        self.worker.tt.store(key, 0, entry);
    }

    /// Tells the sink the principal variation.
    fn report(&mut self, depth: u32, score: Score) {
        let pv = self.worker.variations.principal().to_vec();
        let info = self.info(depth, score, pv);
        (self.sink)(&info);
        self.best = Some(info);
    }

    /// Without time for even one move: the first one, and the evaluation as it stands.
    fn guess(&mut self) -> Info<R::Geometry> {
        let score = eval::evaluate(self.worker.line.position());
        let info = self.info(1, score, vec![self.moves[0]]);
        (self.sink)(&info);
        info
    }

    fn info(&self, depth: u32, score: Score, pv: Vec<Move<R::Geometry>>) -> Info<R::Geometry> {
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

/// Whether the end of the game is seen, and near enough that a deeper search finds none nearer.
fn is_proven(score: Score, depth: u32) -> bool {
    let plies = Score::WIN.0 - score.0.abs();
    plies <= depth as i16
}

/// A lower limit of a window.
fn lower(score: Score, delta: i16) -> Score {
    limit(score.0.saturating_sub(delta))
}

/// An upper limit of a window.
fn higher(score: Score, delta: i16) -> Score {
    limit(score.0.saturating_add(delta))
}

/// A limit of a window; beyond all evaluations it is open.
fn limit(value: i16) -> Score {
    let limit = Score(value);
    match limit.is_decisive() {
        false => limit,
        true if limit > Score::DRAW => Score::INFINITY,
        true => -Score::INFINITY,
    }
}
