//! One node: alpha-beta as principal variation search (T. A. Marsland, M. Campbell, *Parallel
//! search of strongly ordered game trees*, 1982).

use crate::board::{Move, MoveList};
use crate::eval;
use crate::movegen;
use crate::rules::{Goal, Rules};
use crate::score::{Bound, Score};
use crate::tt::Entry;

use super::draws;
use super::params::{MAX_PLY, REDUCTION_DEPTH, REDUCTION_MOVES};
use super::picker::Picker;
use super::worker::Worker;

/// A move on its way into the search.
#[derive(Clone, Copy)]
pub(super) struct Candidate<R: Rules> {
    /// The move.
    pub(super) mv: Move<R::Geometry>,
    /// How many moves were searched before it.
    pub(super) index: usize,
    /// The depth left after it.
    pub(super) depth: i32,
    /// The distance from the root after it.
    pub(super) ply: usize,
}

impl<R: Rules> Worker<'_, R> {
    /// The score of the last position of the line, within the window if it is inside, else a bound
    /// of it. Means nothing if the search has been stopped.
    pub(super) fn search(&mut self, depth: i32, ply: usize, alpha: Score, beta: Score) -> Score {
        if depth <= 0 {
            return self.quiescence(ply, alpha, beta);
        }
        if !self.enter(ply) {
            return Score::DRAW;
        }
        let position = *self.line.position();
        let mut moves = MoveList::new();
        movegen::legal_moves_into(&position, &mut moves);
        if moves.is_empty() {
            return self.leaf(ply, game_over::<R>(ply));
        }
        if draws::is_draw(&self.line) {
            return self.leaf(ply, Score::DRAW);
        }
        if ply >= MAX_PLY {
            return self.leaf(ply, eval::evaluate(&position));
        }

        // No win here can be shorter than the next ply, no loss shorter than two.
        let (alpha, beta) =
            (alpha.max(Score::loss_in(ply as u32)), beta.min(Score::win_in(ply as u32 + 1)));
        if alpha >= beta {
            return alpha;
        }

        let known = self.tt.probe(position.key(), ply);
        if let Some(score) = known.and_then(|entry| cutoff(entry, depth, alpha, beta)) {
            return score;
        }
        let hash_move = known.and_then(|entry| entry.mv);
        let is_only_move = moves.len() == 1;
        let next = depth - i32::from(!is_only_move);

        let mut picker = Picker::new(&position, moves, hash_move, &self.history);
        let (mut best, mut best_move, mut low) = (-Score::INFINITY, None, alpha);
        let mut index = 0;
        while let Some(mv) = picker.next() {
            let candidate = Candidate { mv, index, depth: next, ply: ply + 1 };
            let score = self.search_move(candidate, low, beta);
            if self.is_stopped() {
                return Score::DRAW;
            }
            index += 1;
            if score > best {
                best = score;
            }
            if score > low {
                best_move = Some(mv);
                self.variations.extend(ply, mv);
                low = score;
                if score >= beta {
                    break;
                }
            }
        }

        if best >= beta && best_move.is_some_and(|mv| !mv.is_capture()) {
            self.history.reward(position.side(), picker.picked(), depth);
        }
        let entry = Entry {
            mv: best_move.map(Into::into),
            score: best,
            bound: bound(best, alpha, beta),
            depth: depth as u8,
        };
        self.tt.store(position.key(), ply, entry);
        best
    }

    /// Plays a move, searches what follows, and takes it back. Later moves are only asked whether
    /// they are better than the best, at first not so deep.
    pub(super) fn search_move(
        &mut self,
        candidate: Candidate<R>,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let Candidate { mv, index, depth, ply } = candidate;
        let null = Score(alpha.0 + 1);
        let is_pv = beta > null;
        self.line.play(mv);
        let mut score = null;
        if index > 0 {
            let reduced = depth - reduction(mv.is_capture(), index, depth + 1);
            score = -self.search(reduced, ply, -null, -alpha);
            if score > alpha && reduced < depth {
                score = -self.search(depth, ply, -null, -alpha);
            }
        }
        if index == 0 || (is_pv && score > alpha) {
            score = -self.search(depth, ply, -beta, -alpha);
        }
        self.line.undo();
        score
    }
}

/// The score of a position in which the side to move has no move.
#[inline(always)]
pub(super) fn game_over<R: Rules>(ply: usize) -> Score {
    match R::GOAL {
        Goal::Lose => Score::win_in(ply as u32),
        Goal::Block | Goal::King => Score::loss_in(ply as u32),
    }
}

/// The score of an entry if it decides the node. Nodes of the principal variation are searched
/// anyway, for the whole variation and for draws that the table does not see.
#[inline(always)]
fn cutoff(entry: Entry, depth: i32, alpha: Score, beta: Score) -> Option<Score> {
    let is_pv = beta.0 - alpha.0 > 1;
    if is_pv || i32::from(entry.depth) < depth {
        return None;
    }
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    };
    decides.then_some(entry.score)
}

/// By how much a late move is searched less deep.
#[inline(always)]
fn reduction(is_capture: bool, index: usize, depth: i32) -> i32 {
    let is_late = !is_capture && depth >= REDUCTION_DEPTH && index >= REDUCTION_MOVES;
    i32::from(is_late)
}

/// What a score says, given the window it was searched with.
#[inline(always)]
pub(super) fn bound(score: Score, alpha: Score, beta: Score) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}
