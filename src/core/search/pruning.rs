//! Pruning (of what a cheaper test predicts), reductions and extensions.
//!
//! Nothing is pruned on the principal variation, where there is a capture, or, by the static
//! evaluation, where the opponent threatens one. There is no null move pruning, which is unsound in
//! draughts: having to move is often what loses.
//!
//! Tried and left out, each measured by the errors of scores at 20,000 nodes, on 6,000 positions of
//! self-play: the distance from a search of 500,000 nodes in 1/10,000 of the expected score, capped
//! at 0.2, where twice the nodes bring -46. ProbCut (M. Buro, 1995) from depth 5 or 6: +5.6 to +6.7,
//! worse. Late move pruning: +0.3, and 4 % more time. Pruning moves that let the opponent capture
//! like others was one of a group of changes that gained 0 +- 13 Elo in a match. Pruning them where
//! the captures that follow, searched to their end, lose too much: -7.1 +- 3.2 at equal nodes, but
//! 10 % more time, and -4.3 [-10.7, 2.0] Elo at 0.02 s a move in 800 games.

use crate::board::BitMove;
use crate::movegen;
use crate::position::BitPosition;
use crate::rules::Rules;
use crate::score::{Bound, Score};

use super::record::{Node, Step, Task};
use super::worker::Worker;

/// The result of a search without the hash move.
#[derive(Clone, Copy, Default)]
pub(super) struct Singular {
    /// The extension of the hash move, in plies; negative for a reduction.
    pub(super) extension: i32,
    /// The score of the node, if more than one move fails high.
    pub(super) cut: Option<Score>,
}

impl<R: Rules> Worker<'_, R> {
    /// The score of a node that can be pruned.
    #[inline(always)]
    pub(super) fn prune(&mut self, node: &Node<R>) -> Option<Score> {
        let task = node.task;
        if task.is_pv() || task.excluded.is_some() || task.beta.is_decisive() {
            return None;
        }
        self.stands_high(node).or_else(|| self.stands_low(node))
    }

    /// Internal iterative reduction.
    #[inline(always)]
    pub(super) fn shorten(&self, node: &mut Node<R>) {
        if node.hash_move.is_none()
            && !node.is_forced
            && node.task.depth >= self.params.hashless_depth
        {
            node.task.depth -= self.params.hashless_plies;
        }
    }

    /// Reverse futility pruning: near the leaves, an evaluation far above beta stays above it.
    #[inline(always)]
    fn stands_high(&self, node: &Node<R>) -> Option<Score> {
        let Task { depth, beta, .. } = node.task;
        let eval = node.quiet_eval()?;
        let params = &self.params;
        let rising = if node.is_improving { params.static_improving } else { 0 };
        let margin = params.static_base + params.static_slope * depth - rising;
        let is_high =
            depth <= params.static_depth && i32::from(eval.0) >= i32::from(beta.0) + margin;
        is_high.then_some(eval)
    }

    /// Razoring: near the leaves, an evaluation far below alpha only gets a quiescence search.
    #[inline(always)]
    fn stands_low(&mut self, node: &Node<R>) -> Option<Score> {
        let Task { depth, ply, alpha, beta, .. } = node.task;
        let eval = node.quiet_eval()?;
        let margin = self.params.razor_base + self.params.razor_slope * depth;
        if depth > self.params.razor_depth || i32::from(eval.0) + margin > i32::from(alpha.0) {
            return None;
        }
        let score = self.quiescence(ply, alpha, beta);
        (score <= alpha).then_some(score)
    }

    /// Futility pruning: whether a late quiet move can be skipped, because the evaluation is so far
    /// below alpha that the move will not raise it. A move that lets the opponent capture may do so
    /// by what comes after, so it is searched.
    #[inline(always)]
    pub(super) fn is_futile(
        &self,
        node: &Node<R>,
        after: &BitPosition<R>,
        index: usize,
        alpha: Score,
    ) -> bool {
        let Some(eval) = node.quiet_eval() else {
            return false;
        };
        if index == 0 || node.task.is_pv() || node.is_forced {
            return false;
        }
        let params = &self.params;
        let depth = node.task.depth;
        let reduced = depth - self.reductions.percent(depth, index) / 100;
        let margin = params.futility_base + params.futility_slope * reduced.max(0);
        reduced <= params.futility_depth
            && i32::from(eval.0) + margin <= i32::from(alpha.0)
            && !movegen::has_capture(after)
    }

    /// Singular extension (T. Anantharaman, M. Campbell, F. Hsu, *Singular extensions: adding
    /// selectivity to brute-force searching*, 1988): whether the hash move is the only good one. If
    /// another move fails high too, the node can be cut: multi-cut (Y. Björnsson, T. A. Marsland,
    /// *Multi-cut alpha-beta pruning*, 1999). Where neither holds but the entry of the hash move
    /// fails high, the node is likely to do so by several moves: its hash move is searched less
    /// deep (first seen in the chess engine Stockfish, 2019, as a negative extension).
    #[inline(always)]
    pub(super) fn singular(&mut self, node: &Node<R>, moves: &[BitMove<R::Geometry>]) -> Singular {
        let task = node.task;
        let nothing = Singular::default();
        let (Some(known), Some(hash_move)) = (node.known, node.hash_move) else {
            return nothing;
        };
        let is_candidate = task.depth >= self.params.singular_depth
            && task.excluded.is_none()
            && !node.is_forced
            && known.bound != Bound::Upper
            && i32::from(known.depth) >= task.depth - 3
            && !known.score.is_decisive();
        if !is_candidate || !moves.iter().any(|&mv| hash_move.is(mv)) {
            return nothing;
        }
        let margin = self.params.singular_margin * task.depth / 100;
        let limit = Score::evaluation(i32::from(known.score.0) - margin);
        let score = self.search(Task {
            depth: task.depth * self.params.singular_share / 100,
            alpha: Score(limit.0 - 1),
            beta: limit,
            excluded: Some(hash_move),
            ..task
        });
        if score < limit {
            return Singular { extension: 1, cut: None };
        }
        let is_cut = limit >= task.beta && !task.is_pv() && self.params.multicut > 0;
        let extension = if known.score >= task.beta { -self.params.singular_less } else { 0 };
        Singular { extension, cut: is_cut.then_some(limit) }
    }

    /// The late move reduction of a move, in plies.
    #[inline(always)]
    pub(super) fn reduction(&self, node: &Node<R>, step: &Step<R>, index: usize) -> i32 {
        let mv = step.mv;
        let params = &self.params;
        let task = node.task;
        if mv.is_capture()
            || task.depth < params.reduction_depth
            || (index as i32) < params.reduction_moves
        {
            return 0;
        }
        let mut percent = self.reductions.percent(task.depth, index);
        let when = |condition, percent| if condition { percent } else { 0 };
        percent -= when(task.is_pv(), params.reduction_pv);
        percent += when(task.is_cut, params.reduction_cut);
        percent += when(!node.is_improving, params.reduction_improving);
        percent -= when(node.is_threatened, params.reduction_threat);
        percent -= when(self.hints(node).is_refutation(mv), params.reduction_killer);
        let history = self.experience.history.value(node.place, mv, params);
        percent -= 100 * history / params.reduction_history;
        if params.reduction_offer != 0 && movegen::has_capture(&step.after) {
            percent -= params.reduction_offer;
        }
        (percent / 100).max(0)
    }
}
