//! Quiescence search: captures, being forced, are followed to the end; only positions without one
//! are evaluated. Weaker play can do without ([`Quiescence`]).
//!
//! Tried and left out: a ply of all moves where the opponent threatens a capture. It gained nothing
//! (a match of a group of changes with it: 0 +- 13 Elo).

use crate::board::MoveList;
use crate::movegen;
use crate::rules::Rules;
use crate::score::Score;

use super::limits::Quiescence;
use super::node::game_over;
use super::picker::{Picker, Ranks};
use super::record::Step;
use super::worker::Worker;

impl<R: Rules> Worker<'_, R> {
    /// The quiescence score of the last position of the line, relative to the window as that of
    /// [`Worker::search`].
    pub(super) fn quiescence(&mut self, ply: usize, mut alpha: Score, beta: Score) -> Score {
        if !self.enter() {
            return Score::DRAW;
        }
        let is_pv = beta.0 - alpha.0 > 1;
        if is_pv {
            self.variations.clear(ply);
        }
        let position = *self.line.position();
        if ply >= self.last_ply {
            return self.at_last_ply(&position, ply);
        }
        let mut moves = MoveList::new();
        movegen::captures(&position, &mut moves);
        if moves.is_empty() {
            if !movegen::has_quiet(&position) {
                return self.leaf(ply, game_over::<R>(ply));
            }
            let score = self.known(&position, ply);
            return self.leaf(ply, score.unwrap_or_else(|| self.evaluate(&position)));
        }

        let mut best = match self.quiescence {
            Quiescence::Full => -Score::INFINITY,
            Quiescence::StandPat => self.evaluate(&position),
            Quiescence::Off => return self.leaf(ply, self.evaluate(&position)),
        };
        if best >= beta {
            return self.leaf(ply, best);
        }
        alpha = alpha.max(best);
        let mut ranks = Ranks::new();
        let mut picker = Picker::new(&moves, &mut ranks);
        while let Some(mv) = picker.next_capture(&position) {
            let step = Step::new(&position, mv);
            self.prefetch(&step.after, 0);
            self.play(ply, &step);
            let score = -self.quiescence(ply + 1, -beta, -alpha);
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
