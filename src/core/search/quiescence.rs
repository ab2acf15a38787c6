//! Quiescence search: captures, being forced, are followed to the end; a position in which the
//! opponent threatens a capture is searched a little; only what is left is evaluated.

use crate::board::MoveList;
use crate::movegen;
use crate::rules::Rules;
use crate::score::Score;

use super::node::game_over;
use super::params::MAX_PLY;
use super::picker::{Picker, Ranks};
use super::worker::Worker;

impl<R: Rules> Worker<'_, R> {
    /// The quiescence score of the last position of the line, relative to the window as that of
    /// [`Worker::search`]. `plies` counts from the start of quiescence.
    pub(super) fn quiescence(
        &mut self,
        ply: usize,
        plies: i32,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        if !self.enter() {
            return Score::DRAW;
        }
        let is_pv = beta.0 - alpha.0 > 1;
        if is_pv {
            self.variations.clear(ply);
        }
        let position = *self.line.position();
        if ply >= MAX_PLY {
            return self.leaf(ply, self.evaluate(&position));
        }
        let mut moves = MoveList::new();
        movegen::captures(&position, &mut moves);
        if moves.is_empty() {
            let is_threatened =
                plies < self.params.threat_plies && movegen::is_threatened(&position);
            if is_threatened {
                movegen::quiets(&position, &mut moves);
                if moves.is_empty() {
                    return self.leaf(ply, game_over::<R>(ply));
                }
            } else {
                if !movegen::has_quiet(&position) {
                    return self.leaf(ply, game_over::<R>(ply));
                }
                if let Some(score) = self.known(&position, ply) {
                    return self.leaf(ply, score);
                }
                return self.leaf(ply, self.evaluate(&position));
            }
        }

        let mut best = -Score::INFINITY;
        let mut ranks = Ranks::new();
        let mut picker = Picker::new(&moves, &mut ranks);
        while let Some(mv) = picker.next_capture(&position) {
            self.play(ply, mv);
            let score = -self.quiescence(ply + 1, plies + 1, -beta, -alpha);
            self.line.undo();
            if self.is_stopped() {
                return Score::DRAW;
            }
            best = best.max(score);
            if score > alpha {
                if is_pv {
                    self.variations.extend(ply, mv);
                }
                alpha = score;
                if score >= beta {
                    break;
                }
            }
        }
        best
    }
}
