//! Quiescence: captures are forced, so they are followed to the end; then the evaluation decides.

use crate::board::MoveList;
use crate::eval;
use crate::movegen;
use crate::rules::Rules;
use crate::score::Score;

use super::node::game_over;
use super::params::MAX_PLY;
use super::picker::Picker;
use super::worker::Worker;

impl<R: Rules> Worker<'_, R> {
    /// The score of the last position of the line after all captures, as [`Worker::search`] gives
    /// it. Without a capture there is nothing to choose, so it is the evaluation.
    pub(super) fn quiescence(&mut self, ply: usize, mut alpha: Score, beta: Score) -> Score {
        if !self.enter(ply) {
            return Score::DRAW;
        }
        let position = *self.line.position();
        let mut moves = MoveList::new();
        movegen::captures(&position, &mut moves);
        if moves.is_empty() {
            let score = if movegen::has_move(&position) {
                eval::evaluate(&position)
            } else {
                game_over::<R>(ply)
            };
            return self.leaf(ply, score);
        }
        if ply >= MAX_PLY {
            return self.leaf(ply, eval::evaluate(&position));
        }

        let mut best = -Score::INFINITY;
        let mut picker = Picker::new(&position, moves, None, &self.history);
        while let Some(mv) = picker.next() {
            self.line.play(mv);
            let score = -self.quiescence(ply + 1, -beta, -alpha);
            self.line.undo();
            if self.is_stopped() {
                return Score::DRAW;
            }
            best = best.max(score);
            if score > alpha {
                self.variations.extend(ply, mv);
                alpha = score;
                if score >= beta {
                    break;
                }
            }
        }
        best
    }
}
