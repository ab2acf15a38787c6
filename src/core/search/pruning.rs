//! Pruning, reductions and extensions.
//!
//! Nothing is pruned on the principal variation. Pruning by the static evaluation is limited to
//! quiet positions, in which neither side can capture. There is no null move pruning, which is
//! unsound in draughts, where zugzwang is common.
//!
//! Rejected experiments follow. Results not in Elo are changes in the mean error of searches of
//! 20,000 nodes, over 6,000 positions from self-play. The error is the difference between the
//! expected score and that found by a search of 500,000 nodes, capped at 0.2; the unit is 1/10,000.
//! For comparison, doubling the nodes changes the error by -46.
//!
//! - ProbCut (M. Buro, 1995) from depth 5 or 6: +5.6 to +6.7, which is worse.
//! - Late move pruning: +0.3, with 4 % more time.
//! - Enhanced transposition cutoffs (J. Schaeffer and A. Plaat, 1996) from depth 3: 4 % fewer nodes
//!   to the same depth, but also 4 % fewer nodes a second; not tried in a match.
//! - Futility pruning also of moves that let the opponent capture: part of a group of changes that
//!   gained 0 +- 13 Elo in a match.
//! - Futility pruning of such moves only where the captures that follow, searched to the end, lose
//!   too much: -7.1 +- 3.2 at equal nodes, but with 10 % more time; -4.3 [-10.7, 2.0] Elo in 800
//!   games at 0.02 s per move.
//!
//! The following come from chess engines. Their errors were measured over 8,231 positions, relative
//! to searches of 300,000 nodes; intervals are 95 %.
//!
//! - Hash score instead of the static evaluation, where its bound allows: -1.1 +- 3.7; -0.5 [-7.9,
//!   6.9] Elo in 2,000 games at 5,000 nodes.
//! - Hindsight extension, after a reduction of two plies if the evaluation has fallen: +0.4 +- 2.6.
//!   Hindsight reduction, if it has risen by 0.6: +0.2 +- 3.4.
//! - Deeper re-search, by a ply, if the reduced search exceeds alpha by 0.1: +3.1 +- 3.9. History
//!   bonus or penalty for the result of a re-search: 0.0 +- 3.9.
//! - History pruning below -1,000 per ply, up to depth 4: -0.4 +- 2.5.
//! - Double singular extensions: +3.0 +- 3.8. Smaller reductions in proportion to the size of the
//!   correction: +2.5 +- 3.2.
//! - Reduction by a ply of all moves after one that raises alpha: +0.7 +- 4.3. Fail-high scores
//!   moved towards beta: +5.2 +- 4.2, which is worse.

use std::ops::ControlFlow::{self, Break, Continue};

use crate::board::BitMove;
use crate::movegen;
use crate::rules::Rules;
use crate::score::{Bound, Score};

use super::node::{Child, Node};
use super::worker::Worker;

impl<R: Rules> Worker<'_, R> {
    /// Reverse futility pruning: near the leaves, a node whose evaluation is far above beta is
    /// assumed to fail high. Returns the score of such a node.
    #[inline(always)]
    pub fn reverse_futility(&self, node: &Node<R>) -> Option<Score> {
        let params = &self.params;
        let eval = node.quiet_eval()?;
        let improving = if node.is_improving { params.rfp_improving } else { 0 };
        let margin = params.rfp_base + params.rfp_slope * node.depth - improving;
        let is_high = i32::from(eval.0) >= i32::from(node.beta.0) + margin;
        (node.depth <= params.rfp_depth && is_high).then_some(eval)
    }

    /// Razoring: near the leaves, a node whose evaluation is far below alpha gets only a quiescence
    /// search. Returns its score if that fails low too.
    #[inline(always)]
    pub fn razoring(&mut self, node: &Node<R>) -> Option<Score> {
        let eval = node.quiet_eval()?;
        let margin = self.params.razor_base + self.params.razor_slope * node.depth;
        let is_low = i32::from(eval.0) + margin <= i32::from(node.alpha.0);
        if node.depth > self.params.razor_depth || !is_low {
            return None;
        }
        let score = self.quiescence(node.ply, node.alpha, node.beta);
        (score <= node.alpha).then_some(score)
    }

    /// Internal iterative reduction: reduces the depth of a node without a hash move.
    #[inline(always)]
    pub fn internal_iterative_reduction(&self, node: &mut Node<R>) {
        if node.hash_move.is_none() && !node.is_forced && node.depth >= self.params.iir_depth {
            node.depth -= self.params.iir_reduction;
        }
    }

    /// Singular extension (T. Anantharaman, M. Campbell, F. Hsu, *Singular extensions: adding
    /// selectivity to brute-force searching*, 1988): extends the hash move if it is the only good
    /// move. If another move fails high too, the node can be cut off: multi-cut (Y. Björnsson, T.
    /// A. Marsland, *Multi-cut alpha-beta pruning*, 1999). Otherwise, if the score of the entry
    /// fails high, several moves probably fail high too, and the hash move gets a negative
    /// extension (first seen in the chess engine Stockfish, 2019).
    ///
    /// Returns `Continue` with the extension of the hash move in plies, or `Break` with the score
    /// of the node.
    #[inline(always)]
    pub fn singular_extension(
        &mut self,
        node: &Node<R>,
        moves: &[BitMove<R::Geometry>],
    ) -> ControlFlow<Score, i32> {
        let (Some(entry), Some(hash_move)) = (node.entry, node.hash_move) else {
            return Continue(0);
        };
        let is_candidate = node.depth >= self.params.singular_depth
            && node.excluded.is_none()
            && !node.is_forced
            && entry.bound != Bound::Upper
            && i32::from(entry.depth) >= node.depth - 3
            && !entry.score.is_decisive();
        if !is_candidate || !moves.iter().any(|&mv| hash_move.is(mv)) {
            return Continue(0);
        }
        let margin = self.params.singular_margin * node.depth / 100;
        let depth = node.depth * self.params.singular_depth_percent / 100;
        let beta = Score::evaluation(i32::from(entry.score.0) - margin);
        self.stack.at(node.ply).excluded = Some(hash_move);
        let score = self.search(node.ply, Score(beta.0 - 1), beta, depth, node.is_cut);
        self.stack.at(node.ply).excluded = None;
        if score < beta {
            Continue(1)
        } else if beta >= node.beta && !node.is_pv && self.params.multicut > 0 {
            Break(beta)
        } else if entry.score >= node.beta {
            Continue(-self.params.singular_negative)
        } else {
            Continue(0)
        }
    }

    /// Futility pruning: whether a late quiet move can be skipped because the evaluation is so far
    /// below alpha that the move is unlikely to raise alpha. A move that lets the opponent capture
    /// may still raise alpha by the exchange that follows, so it is searched.
    #[inline(always)]
    pub fn is_futile(&self, node: &Node<R>, child: &Child<R>, alpha: Score) -> bool {
        let Some(eval) = node.quiet_eval() else {
            return false;
        };
        if child.index == 0 || node.is_pv || node.is_forced {
            return false;
        }
        let params = &self.params;
        let reduced = node.depth - self.reductions.percent(node.depth, child.index) / 100;
        let margin = params.futility_base + params.futility_slope * reduced.max(0);
        reduced <= params.futility_depth
            && i32::from(eval.0) + margin <= i32::from(alpha.0)
            && !movegen::has_capture(&child.after)
    }

    /// The late move reduction of a move, in plies.
    #[inline(always)]
    pub fn late_move_reduction(&self, node: &Node<R>, child: &Child<R>) -> i32 {
        let &Child { mv, index, .. } = child;
        let params = &self.params;
        if mv.is_capture()
            || node.depth < params.reduction_depth
            || (index as i32) < params.reduction_moves
        {
            return 0;
        }
        let when = |condition, percent| if condition { percent } else { 0 };
        let ordering = self.move_ordering(node.ply, node.context);
        let history = self.histories.moves.value(node.context, mv, params);
        let mut percent = self.reductions.percent(node.depth, index);
        percent -= when(node.is_pv, params.reduction_pv);
        percent += when(node.is_cut, params.reduction_cut);
        percent += when(!node.is_improving, params.reduction_improving);
        percent -= when(node.is_threatened, params.reduction_threat);
        percent -= when(ordering.is_refutation(mv), params.reduction_killer);
        percent -= 100 * history / params.reduction_history;
        if params.reduction_sacrifice != 0 && movegen::has_capture(&child.after) {
            percent -= params.reduction_sacrifice;
        }
        (percent / 100).max(0)
    }
}
