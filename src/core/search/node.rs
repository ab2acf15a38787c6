//! The interior nodes: alpha-beta as principal variation search (T. A. Marsland, M. Campbell,
//! *Parallel search of strongly ordered game trees*, 1982).

use crate::board::{MoveList, PackedMove};
use crate::movegen;
use crate::position::{BitPosition, Key};
use crate::rules::{Goal, Rules};
use crate::score::{Bound, Score};
use crate::tt::Entry;

use super::draws;
use super::picker::{Hints, Picker, Ranks};
use super::record::{Candidate, Findings, MovesPutOff, Node, Step, Task};
use super::worker::Worker;

impl<R: Rules> Worker<'_, R> {
    /// The score of the last position of the line: exact inside the window, else a bound (fail
    /// soft). Meaningless once the search has been stopped.
    #[inline(always)]
    pub(super) fn search(&mut self, task: Task) -> Score {
        match task.depth {
            ..=0 => self.quiescence(task.ply, task.alpha, task.beta),
            _ => self.search_node(task),
        }
    }

    /// [`Worker::search`] where there is depth left.
    fn search_node(&mut self, task: Task) -> Score {
        if !self.enter() {
            return Score::DRAW;
        }
        if task.is_pv() {
            self.variations.clear(task.ply);
        }
        let position = *self.line.position();
        if draws::is_draw(&self.line) {
            let is_over = !movegen::has_move(&position);
            let score = if is_over { game_over::<R>(task.ply) } else { Score::DRAW };
            return self.leaf(task.ply, score);
        }
        if task.ply >= self.last_ply {
            return self.at_last_ply(&position, task.ply);
        }
        let Some(mut node) = self.open(position, task) else {
            return task.alpha.max(Score::loss_in(task.ply as u32));
        };
        self.recall(&mut node);
        if let Some(score) = self.cutoff(&node) {
            return score;
        }
        let mut moves = MoveList::new();
        movegen::captures(&position, &mut moves);
        node.has_capture = !moves.is_empty();
        if !node.has_capture {
            if !movegen::has_quiet(&position) {
                return self.leaf(task.ply, game_over::<R>(task.ply));
            }
            if let Some(score) = self.known(&position, task.ply) {
                return self.leaf(task.ply, score);
            }
        }
        self.prefetch_first(&node);
        self.assess(&mut node);
        if let Some(score) = self.prune(&node) {
            return score;
        }
        if !node.has_capture {
            movegen::quiets(&position, &mut moves);
        }
        node.is_forced = moves.len() == 1;
        self.shorten(&mut node);
        self.search_together(&node, &moves)
    }

    /// The score of a position at the last ply of a line.
    #[cold]
    pub(super) fn at_last_ply(&mut self, position: &BitPosition<R>, ply: usize) -> Score {
        let score = match movegen::has_move(position) {
            true => self.evaluate(position),
            false => game_over::<R>(ply),
        };
        self.leaf(ply, score)
    }

    /// The legal moves of the root, ordered best first.
    pub(super) fn ordered(&self, moves: &MoveList<R::Geometry>) -> MoveList<R::Geometry> {
        let position = *self.line.position();
        let hash_move = self.tt.probe(self.key(&position), 0).and_then(|known| known.mv);
        let node = self.node(position, Task::ROOT);
        let mut ranks = Ranks::new();
        let mut picker = Picker::new(moves, &mut ranks);
        std::iter::from_fn(|| picker.next(&position, hash_move, || self.hints(&node))).collect()
    }

    /// The move ordering hints for the quiet moves of a node.
    #[inline(always)]
    pub(super) fn hints(&self, node: &Node<R>) -> Hints<'_> {
        Hints {
            killer_moves: self.stack.get(node.task.ply).killer_moves,
            counter_move: self.experience.history.counter(node.place),
            history: &self.experience.history,
            place: node.place,
            params: &self.params,
        }
    }

    /// The root as a node, to be searched with a window.
    pub(super) fn root_node(
        &mut self,
        moves: &MoveList<R::Geometry>,
        depth: i32,
        alpha: Score,
        beta: Score,
    ) -> Node<R> {
        let position = *self.line.position();
        let mut node = self.node(position, Task { depth, alpha, beta, ..Task::ROOT });
        node.has_capture = moves[0].is_capture();
        node.is_forced = moves.len() == 1;
        self.assess(&mut node);
        self.recall(&mut node);
        node
    }

    /// A node with its window narrowed by mate distance pruning: a win takes at least one more ply,
    /// a loss two. `None` if that leaves no window.
    #[inline(always)]
    fn open(&self, position: BitPosition<R>, mut task: Task) -> Option<Node<R>> {
        task.alpha = task.alpha.max(Score::loss_in(task.ply as u32));
        task.beta = task.beta.min(Score::win_in(task.ply as u32 + 1));
        if task.alpha >= task.beta {
            return None;
        }
        Some(self.node(position, task))
    }

    /// A node with nothing found out about it yet.
    #[inline(always)]
    fn node(&self, position: BitPosition<R>, task: Task) -> Node<R> {
        let key = match task.excluded {
            None => self.key(&position),
            Some(mv) => Key(self.key(&position).0 ^ u64::from(mv.bits()) << 40),
        };
        Node {
            position,
            task,
            key,
            known: None,
            hash_move: None,
            eval: None,
            is_threatened: false,
            is_improving: true,
            is_forced: false,
            has_capture: false,
            place: self.place(&position, task.ply),
        }
    }

    /// Computes what pruning and reductions need to know about a node.
    #[inline(always)]
    fn assess(&mut self, node: &mut Node<R>) {
        let ply = node.task.ply;
        if node.has_capture {
            self.stack.at(ply).eval = None;
            return;
        }
        let (raw, corrected) = self.evaluate_twice(&node.position);
        node.eval = Some((raw, corrected));
        node.is_threatened = movegen::is_threatened(&node.position);
        self.stack.at(ply).eval = Some(corrected);
        node.is_improving = self.stack.is_improving(ply);
    }

    /// Prefetches the entry of the position after the hash move, if that is a quiet move.
    #[inline(always)]
    fn prefetch_first(&self, node: &Node<R>) {
        if node.task.depth > 1
            && !node.has_capture
            && let Some(mv) = node.hash_move.and_then(PackedMove::quiet::<R::Geometry>)
            && node.position.pieces(node.position.side()).has(mv.from)
        {
            self.prefetch(&node.position.after(mv), node.task.depth - 1);
        }
    }

    /// Probes the transposition table for a node. Its entry was prefetched while the move before
    /// was searched.
    #[inline(always)]
    fn recall(&self, node: &mut Node<R>) {
        node.known = self.tt.probe(node.key, node.task.ply);
        node.hash_move = node.known.and_then(|entry| entry.mv);
    }

    /// The score of a node if its entry decides it. Nodes on the principal variation are searched
    /// anyway, for a complete variation and for draws that the table does not see; but helping
    /// threads need no variation.
    #[inline(always)]
    fn cutoff(&self, node: &Node<R>) -> Option<Score> {
        match node.task.is_pv() && self.is_first() {
            true => None,
            false => node.task.decision(node.known?),
        }
    }

    /// Searches the moves of a node, best first.
    pub(super) fn search_moves(&mut self, node: &Node<R>, moves: &MoveList<R::Geometry>) -> Score {
        let task = node.task;
        let singular = self.singular(node, moves);
        if let Some(score) = singular.cut {
            return score;
        }
        if self.is_stopped() {
            return Score::DRAW;
        }
        let mut ranks = Ranks::new();
        let mut picker = Picker::new(moves, &mut ranks);
        let mut put_off = MovesPutOff::<R>::new();
        let mut findings = Findings::new(task.alpha);
        let mut count = 0;
        let mut ahead: Option<Step<R>> = None;
        while let Some((mv, index)) = self.next_move(node, &mut picker, &mut put_off, &mut count) {
            let is_hash_move = node.hash_move.is_some_and(|known| known.is(mv));
            let step =
                ahead.filter(|step| step.mv == mv).unwrap_or_else(|| Step::new(&node.position, mv));
            self.prefetch(&step.after, task.depth - 1);
            if findings.has_hope() && self.is_futile(node, &step.after, index, findings.low) {
                continue;
            }
            let extension = match node.is_forced {
                true => self.params.only_reply,
                false if is_hash_move => singular.extension,
                false => 0,
            };
            let candidate = Candidate {
                step,
                index,
                depth: task.depth - 1 + extension,
                reduction: self.reduction(node, &step, index),
            };
            if task.depth > 1
                && let Some(next) = picker.peek()
            {
                let step = Step::new(&node.position, next);
                self.prefetch(&step.after, task.depth - 1);
                ahead = Some(step);
            }
            let score = self.search_noted(node, &candidate, findings.low);
            if self.is_stopped() {
                return Score::DRAW;
            }
            if findings.add(mv, score) && task.is_pv() {
                self.variations.extend(task.ply, mv);
            }
            if score >= task.beta {
                break;
            }
        }
        if findings.searched.is_empty() {
            // Only the excluded move is legal: no other is as good.
            return task.alpha;
        }
        self.praise(node, &findings);
        self.remember(node, &findings);
        findings.best
    }

    /// Plays a move, searches the position after it and takes it back. Moves after the first get a
    /// null window, at first at reduced depth.
    pub(super) fn search_move(
        &mut self,
        node: &Node<R>,
        candidate: &Candidate<R>,
        alpha: Score,
    ) -> Score {
        let &Candidate { ref step, index, depth, reduction } = candidate;
        let Task { ply, beta, is_cut, .. } = node.task;
        let is_pv = node.task.is_pv();
        let null = Score(alpha.0 + 1);
        let ask = |depth, beta: Score, is_cut| Task {
            depth,
            ply: ply + 1,
            alpha: -beta,
            beta: -alpha,
            is_cut,
            excluded: None,
        };
        self.play(ply, step);
        let mut score = null;
        if index > 0 {
            let reduced = (depth - reduction).max(depth.min(1));
            score = -self.search(ask(reduced, null, true));
            if score > alpha && reduced < depth {
                score = -self.search(ask(depth, null, !is_cut));
            }
            if is_pv {
                // It holds the variation of another move.
                self.variations.clear(ply + 1);
            }
        }
        if index == 0 || (is_pv && score > alpha && score < beta) {
            score = -self.search(ask(depth, beta, !is_pv && !is_cut));
        }
        self.line.undo();
        score
    }

    /// Updates the histories and killer moves after a beta cutoff by a quiet move, the last one
    /// searched.
    #[inline(always)]
    fn praise(&mut self, node: &Node<R>, findings: &Findings<R>) {
        let Task { ply, depth, beta, .. } = node.task;
        let quiet = findings.best_move.filter(|mv| !mv.is_capture() && !node.is_forced);
        let Some(mv) = quiet.filter(|_| findings.best >= beta) else {
            return;
        };
        self.experience.history.reward(node.place, &findings.searched, depth, &self.params);
        self.stack.refute(ply, mv);
    }

    /// Stores the result in the transposition table and the correction history.
    #[inline(always)]
    fn remember(&mut self, node: &Node<R>, findings: &Findings<R>) {
        let Node { task, key, .. } = node;
        let Findings { best, best_move, .. } = *findings;
        let bound = bound(best, task.alpha, task.beta);
        let entry =
            Entry { mv: best_move.map(Into::into), score: best, bound, depth: task.depth as u8 };
        self.tt.store(*key, task.ply, entry);

        let Some((raw, corrected)) = node.eval else {
            return;
        };
        let says_nothing = best.is_decisive()
            || (bound == Bound::Lower && best <= corrected)
            || (bound == Bound::Upper && best >= corrected);
        if task.excluded.is_none() && !says_nothing && !self.endings.leans() {
            self.experience.correction.learn(&node.position, raw, best, task.depth);
        }
    }
}

/// The score of a position in which the side to move has no legal move.
#[inline(always)]
pub(super) fn game_over<R: Rules>(ply: usize) -> Score {
    match R::GOAL {
        Goal::Lose => Score::win_in(ply as u32),
        Goal::Block | Goal::King => Score::loss_in(ply as u32),
    }
}

/// The bound that a score is, given the window it was searched with.
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
