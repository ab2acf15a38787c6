//! Interior nodes: alpha-beta in the form of principal variation search (T. A. Marsland, M.
//! Campbell, *Parallel search of strongly ordered game trees*, 1982).

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::board::{BitMove, MoveList, PackedMove};
use crate::movegen;
use crate::position::{BitPosition, Key};
use crate::rules::{Goal, Rules};
use crate::score::{Bound, Score};
use crate::tt::Entry;

use super::endings::is_draw;
use super::histories::HistoryContext;
use super::picker::MovePicker;
use super::smp::OpenNode;
use super::worker::Worker;

/// A position being searched, with the parameters of its search and the data that guides it.
pub struct Node<R: Rules> {
    pub position: BitPosition<R>,
    /// The distance from the root, in plies.
    pub ply: usize,
    /// The window, narrowed by mate distance pruning.
    pub alpha: Score,
    /// See [`Node::alpha`].
    pub beta: Score,
    /// The remaining depth, in plies.
    pub depth: i32,
    /// Whether the node is on the principal variation, where the exact score matters.
    pub is_pv: bool,
    /// Whether the node is an expected cut node, which should fail high.
    pub is_cut: bool,
    /// The move excluded by a singular extension search.
    pub excluded: Option<PackedMove>,
    /// The key of the node in the transposition table.
    pub key: Key,
    /// The entry in the transposition table.
    pub entry: Option<Entry>,
    /// The best move of the entry.
    pub hash_move: Option<PackedMove>,
    /// The static evaluation, raw and corrected; `None` if there is a capture.
    pub eval: Option<(Score, Score)>,
    /// Whether the opponent could capture if it were their turn.
    pub is_threatened: bool,
    /// Whether the static evaluation has risen in the last two plies.
    pub is_improving: bool,
    /// Whether the side to move must capture.
    pub has_capture: bool,
    /// Whether there is only one legal move.
    pub is_forced: bool,
    /// The context that selects the history entries of the node.
    pub context: HistoryContext,
}

impl<R: Rules> Node<R> {
    /// The corrected evaluation if the position is quiet: no capture for either side.
    #[inline(always)]
    pub fn quiet_eval(&self) -> Option<Score> {
        self.eval.filter(|_| !self.is_threatened).map(|(_, corrected)| corrected)
    }
}

/// A move of a node, with the position after it.
#[derive(Clone, Copy)]
pub struct Child<R: Rules> {
    pub mv: BitMove<R::Geometry>,
    pub after: BitPosition<R>,
    /// The number of moves before it.
    pub index: usize,
}

impl<R: Rules> Child<R> {
    /// The child that a legal move leads to.
    #[inline(always)]
    pub fn new(position: &BitPosition<R>, mv: BitMove<R::Geometry>, index: usize) -> Self {
        let mut child = Child { mv, after: *position, index };
        child.fill(position, mv);
        child
    }

    /// Sets the move and the position after it. Not inlined, to keep the program small.
    #[inline(never)]
    fn fill(&mut self, position: &BitPosition<R>, mv: BitMove<R::Geometry>) {
        self.mv = mv;
        self.after = position.after(mv);
    }
}

/// Iterates over the children of a node, best first. Moves that other threads are searching, except
/// for the first move, are deferred to the end but keep their index. The table entries of a child
/// are prefetched while the previous child is searched.
struct Children<'a, R: Rules> {
    picker: MovePicker<'a, R>,
    /// The number of moves picked.
    picked: usize,
    /// Moves that other threads were searching, with their index.
    deferred: SmallVec<[(BitMove<R::Geometry>, usize); 16]>,
    /// The current child and the probable next one. Filled in place, as copying data just written
    /// would stall.
    slots: [Child<R>; 2],
    /// The slot of the current child.
    current: usize,
    /// Whether the other slot holds the probable next child.
    has_next: bool,
}

impl<'a, R: Rules> Children<'a, R> {
    #[inline(always)]
    fn new(position: &BitPosition<R>, moves: &'a MoveList<R::Geometry>) -> Self {
        let picker = MovePicker::new(moves);
        let slots = [Child { mv: moves[0], after: *position, index: 0 }; 2];
        Children {
            picker,
            picked: 0,
            deferred: SmallVec::new(),
            slots,
            current: 0,
            has_next: false,
        }
    }

    #[inline(always)]
    fn next(&mut self, worker: &Worker<R>, node: &Node<R>) -> Option<&Child<R>> {
        let (mv, index) = self.next_move(worker, node)?;
        self.current = 1 - self.current;
        let child = &mut self.slots[self.current];
        if !self.has_next || child.mv != mv {
            child.fill(&node.position, mv);
        }
        child.index = index;
        worker.prefetch(&child.after, node.depth - 1);
        self.has_next = false;
        if node.depth > 1
            && let Some(mv) = self.picker.peek()
        {
            let next = &mut self.slots[1 - self.current];
            next.fill(&node.position, mv);
            worker.prefetch(&next.after, node.depth - 1);
            self.has_next = true;
        }
        Some(&self.slots[self.current])
    }

    #[inline(always)]
    fn next_move(
        &mut self,
        worker: &Worker<R>,
        node: &Node<R>,
    ) -> Option<(BitMove<R::Geometry>, usize)> {
        let ordering = || worker.move_ordering(node.ply, node.context);
        while let Some(mv) = self.picker.next(&node.position, node.hash_move, ordering) {
            if node.excluded.is_some_and(|excluded| excluded.is(mv)) {
                continue;
            }
            let index = self.picked;
            self.picked += 1;
            if index == 0 || !worker.is_busy(node.depth, node.key, mv) {
                return Some((mv, index));
            }
            self.deferred.push((mv, index));
        }
        self.deferred.pop()
    }
}

impl<R: Rules> Worker<'_, R> {
    /// The score of the last position of the line: exact inside the window, else a bound (fail
    /// soft). Meaningless once the search has been stopped.
    #[inline(always)]
    pub fn search(
        &mut self,
        ply: usize,
        alpha: Score,
        beta: Score,
        depth: i32,
        is_cut: bool,
    ) -> Score {
        match depth {
            ..=0 => self.quiescence(ply, alpha, beta),
            _ => self.search_node(ply, alpha, beta, depth, is_cut),
        }
    }

    /// [`Worker::search`] at a depth of at least 1.
    fn search_node(
        &mut self,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        is_cut: bool,
    ) -> Score {
        if !self.count_node() {
            return Score::DRAW;
        }
        if is_pv(alpha, beta) {
            self.pv.clear(ply);
        }

        // Check for a draw and for the maximum length of a line.
        let position = *self.line.position();
        if is_draw(&self.line) {
            let is_over = !movegen::has_move(&position);
            return self
                .leaf(ply, if is_over { game_over(position.rules(), ply) } else { Score::DRAW });
        }
        if ply >= self.last_ply {
            return self.evaluate_last_ply(&position, ply);
        }

        // Mate distance pruning: at best the side to move wins one ply later, at worst it has
        // already lost.
        alpha = alpha.max(Score::loss_in(ply as u32));
        beta = beta.min(Score::win_in(ply as u32 + 1));
        if alpha >= beta {
            return alpha;
        }

        let mut node = self.node(position, ply, alpha, beta, depth, is_cut);
        self.probe_tt(&mut node);
        if let Some(score) = self.tt_cutoff(&node) {
            return score;
        }

        // Check for the end of the game, then probe the bitbases, which contain only quiet
        // positions.
        let mut moves = MoveList::new();
        movegen::captures(&position, &mut moves);
        node.has_capture = !moves.is_empty();
        if !node.has_capture {
            if !movegen::has_quiet(&position) {
                return self.leaf(ply, game_over(position.rules(), ply));
            }
            if let Some(score) = self.bitbase_score(&position, ply) {
                return self.leaf(ply, score);
            }
        }

        self.prefetch_hash_move(&node);
        self.static_eval(&mut node);
        if !node.is_pv && node.excluded.is_none() && !beta.is_decisive() {
            if let Some(score) = self.reverse_futility(&node) {
                return score;
            }
            if let Some(score) = self.razoring(&node) {
                return score;
            }
        }

        if !node.has_capture {
            movegen::quiets(&position, &mut moves);
        }
        node.is_forced = moves.len() == 1;
        self.internal_iterative_reduction(&mut node);

        // Abandon this node if another thread has finished it or a node above it.
        let is_open = !self.is_single_threaded() && node.depth >= self.params.abandon_depth;
        if is_open && self.is_finished_elsewhere() {
            self.is_stopped = true;
            return Score::DRAW;
        }
        let open = OpenNode { key: node.key, ply, alpha, beta, depth: node.depth };
        let level = is_open.then(|| self.open_nodes.push(open));
        let score = self.search_moves(&node, &moves);
        level.and_then(|level| self.close_node(&node, level)).unwrap_or(score)
    }

    /// Searches the moves of a node, best first.
    #[inline(never)]
    fn search_moves(&mut self, node: &Node<R>, moves: &MoveList<R::Geometry>) -> Score {
        let hash_move_extension = match self.singular_extension(node, moves) {
            _ if self.is_stopped => return Score::DRAW,
            ControlFlow::Break(multicut) => return multicut,
            ControlFlow::Continue(extension) => extension,
        };
        let mut searched = SmallVec::<[BitMove<R::Geometry>; 32]>::new();
        let (mut best_score, mut best_move, mut alpha) = (-Score::INFINITY, None, node.alpha);
        let mut children = Children::new(&node.position, moves);
        while let Some(child) = children.next(self, node) {
            let mv = child.mv;
            // No move is skipped while all moves searched so far lose by force.
            if best_score > -Score::MAX_EVALUATION && self.is_futile(node, child, alpha) {
                continue;
            }
            let extension = match node.is_forced {
                true => self.params.only_move_extension,
                false if node.hash_move.is_some_and(|known| known.is(mv)) => hash_move_extension,
                false => 0,
            };
            let reduction = self.late_move_reduction(node, child);

            let depth = node.depth - 1 + extension;
            let is_marked = child.index > 0 && self.mark_busy(node.depth, node.key, mv);
            let score = self.search_child(node, child, depth, reduction, alpha);
            if is_marked {
                self.unmark_busy(node.key, mv);
            }
            if self.is_stopped {
                return Score::DRAW;
            }

            searched.push(mv);
            best_score = best_score.max(score);
            if score > alpha {
                alpha = score;
                best_move = Some(mv);
                if node.is_pv {
                    self.pv.extend(node.ply, mv);
                }
                if score >= node.beta {
                    break;
                }
            }
        }
        if searched.is_empty() {
            // Only the excluded move is legal, so no other move is as good.
            return node.alpha;
        }
        if best_score >= node.beta
            && let Some(refutation) = best_move
            && !node.is_forced
        {
            self.update_histories(node, &searched, refutation);
        }
        self.store_tt(node, best_score, best_move);
        best_score
    }

    /// Plays a move, searches the resulting position to `depth` and undoes the move. Moves after
    /// the first are searched with a null window, initially at reduced depth.
    pub fn search_child(
        &mut self,
        node: &Node<R>,
        child: &Child<R>,
        depth: i32,
        reduction: i32,
        alpha: Score,
    ) -> Score {
        let &Node { beta, is_pv, is_cut, .. } = node;
        let (ply, is_first) = (node.ply + 1, child.index == 0);
        let null_beta = Score(alpha.0 + 1);
        self.play(node.ply, child.mv, &child.after);
        let mut score = null_beta;
        if !is_first {
            let reduced = (depth - reduction).max(depth.min(1));
            score = -self.search(ply, -null_beta, -alpha, reduced, true);
            if score > alpha && reduced < depth {
                score = -self.search(ply, -null_beta, -alpha, depth, !is_cut);
            }
            if is_pv {
                // A null-window search leaves the variation of an earlier move in place.
                self.pv.clear(ply);
            }
        }
        if is_first || (is_pv && score > alpha && score < beta) {
            score = -self.search(ply, -beta, -alpha, depth, !is_pv && !is_cut);
        }
        self.line.undo();
        score
    }

    /// A new node, before any probe or evaluation.
    #[inline(always)]
    pub fn node(
        &self,
        position: BitPosition<R>,
        ply: usize,
        alpha: Score,
        beta: Score,
        depth: i32,
        is_cut: bool,
    ) -> Node<R> {
        let key = self.key(&position);
        let excluded = self.stack.get(ply).excluded;
        Node {
            position,
            ply,
            alpha,
            beta,
            depth,
            is_pv: is_pv(alpha, beta),
            is_cut,
            excluded,
            key: excluded.map_or(key, |mv| Key(key.0 ^ u64::from(mv.bits()) << 40)),
            entry: None,
            hash_move: None,
            eval: None,
            is_threatened: false,
            is_improving: true,
            is_forced: false,
            has_capture: false,
            context: self.history_context(&position, ply),
        }
    }

    /// Probes the transposition table for a node. The entry was prefetched while the previous move
    /// was searched.
    #[inline(always)]
    pub fn probe_tt(&self, node: &mut Node<R>) {
        node.entry = self.tt.probe(node.key, node.ply);
        node.hash_move = node.entry.and_then(|entry| entry.mv);
    }

    /// The score of a node if its entry causes a cutoff. The main thread searches nodes on the
    /// principal variation anyway, to get a complete variation and to detect draws that the table
    /// does not account for. Helping threads need no variation.
    #[inline(always)]
    fn tt_cutoff(&self, node: &Node<R>) -> Option<Score> {
        match node.is_pv && self.is_main_thread() {
            true => None,
            false => node.entry?.cutoff(node.alpha, node.beta, node.depth),
        }
    }

    /// Prefetches the entry of the position after the hash move, if the hash move is quiet.
    #[inline(always)]
    fn prefetch_hash_move(&self, node: &Node<R>) {
        if node.depth > 1
            && !node.has_capture
            && let Some(mv) = node.hash_move.and_then(PackedMove::quiet::<R::Geometry>)
            && node.position.pieces(node.position.side()).has(mv.from)
        {
            self.prefetch(&node.position.after(mv), node.depth - 1);
        }
    }

    /// Sets the static evaluation and the other fields that pruning and reductions depend on.
    #[inline(always)]
    pub fn static_eval(&mut self, node: &mut Node<R>) {
        if node.has_capture {
            self.stack.at(node.ply).eval = None;
            return;
        }
        let (raw, corrected) = self.evaluate_both(&node.position);
        node.eval = Some((raw, corrected));
        node.is_threatened = movegen::is_threatened(&node.position);
        self.stack.at(node.ply).eval = Some(corrected);
        node.is_improving = self.stack.is_improving(node.ply);
    }

    /// Updates the histories and, if the move is quiet, the killer moves after a beta cutoff by the
    /// last move of `searched`.
    #[inline(always)]
    fn update_histories(
        &mut self,
        node: &Node<R>,
        searched: &[BitMove<R::Geometry>],
        refutation: BitMove<R::Geometry>,
    ) {
        self.histories.moves.update(node.context, searched, node.depth, &self.params);
        if !refutation.is_capture() {
            self.stack.add_killer_move(node.ply, refutation);
        }
    }

    /// Stores the result in the transposition table, and the error of the static evaluation in the
    /// correction history.
    #[inline(always)]
    fn store_tt(&mut self, node: &Node<R>, score: Score, best_move: Option<BitMove<R::Geometry>>) {
        let bound = bound(score, node.alpha, node.beta);
        let mv = best_move.map(Into::into);
        self.tt.store(node.key, node.ply, Entry { mv, score, bound, depth: node.depth as u8 });

        let Some((raw, corrected)) = node.eval else {
            return;
        };
        let is_uninformative = score.is_decisive()
            || (bound == Bound::Lower && score <= corrected)
            || (bound == Bound::Upper && score >= corrected);
        if node.excluded.is_none() && !is_uninformative && !self.bitbases.shifts_eval() {
            self.histories.correction.update(&node.position, raw, score, node.depth);
        }
    }

    /// Ends the search of an open node. Returns its score if another thread has found it.
    #[cold]
    fn close_node(&mut self, node: &Node<R>, level: usize) -> Option<Score> {
        let score = self.open_nodes.pop(level)?;
        self.is_stopped = false;
        if node.is_pv {
            let line = self.tt_variation(node);
            self.pv.set(node.ply, line);
        }
        Some(score)
    }

    /// The variation from a node that another thread has finished, up to the first position without
    /// an exact entry in the transposition table.
    fn tt_variation(&self, node: &Node<R>) -> Vec<BitMove<R::Geometry>> {
        let mut position = node.position;
        let mut line = Vec::new();
        while line.len() < node.depth as usize
            && let Some(entry) = self.tt.probe(self.key(&position), node.ply)
            && let Some(best) = entry.mv.filter(|_| entry.bound == Bound::Exact)
            && let Some(mv) = movegen::legal_moves(&position).into_iter().find(|&mv| best.is(mv))
        {
            line.push(mv);
            position = position.after(mv);
        }
        line
    }
}

/// Whether a window belongs to the principal variation: it is not a null window.
#[inline(always)]
pub fn is_pv(alpha: Score, beta: Score) -> bool {
    beta.0 - alpha.0 > 1
}

/// The score of a position in which the side to move has no legal move.
#[inline(always)]
pub fn game_over<R: Rules>(rules: R, ply: usize) -> Score {
    match rules.goal() {
        Goal::Lose => Score::win_in(ply as u32),
        Goal::Block | Goal::King => Score::loss_in(ply as u32),
    }
}

/// The kind of bound that a score represents, given the window of the search.
#[inline(always)]
pub fn bound(score: Score, alpha: Score, beta: Score) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}
