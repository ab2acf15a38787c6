//! How the threads of a search share it. Each searches the whole tree, but
//!
//! - moves that another thread is searching come last (see [`busy`](super::busy)), and
//! - where another thread finishes a node first, the thread leaves it (see
//!   [`open_nodes`](super::open_nodes)), also on the principal variation, and
//! - helping threads go on to the window and depth of the first thread as soon as it changes them.
//!
//! Speed of two threads against one, by the time of the whole bench at depth 17 (15 to 38 runs with
//! slightly different history numbers, as one run is luck): putting moves off alone 1.12; leaving
//! nodes off the principal variation too 1.16; helping threads also leaving nodes on it, 1.26 to
//! 1.36; the first thread too, 1.60 +- 0.04. As long as each thread found its own score of a node on
//! the principal variation, they searched what follows with different windows, and what one found
//! out was of no use to the other. In turns with one thread as it
//! is: 1.61 (15 runs).

use crate::board::{BitMove, MoveList};
use crate::movegen;
use crate::rules::Rules;
use crate::score::{Bound, Score};

use super::picker::Picker;
use super::record::{Candidate, MovesPutOff, Node};
use super::round::Round;
use super::worker::Worker;

impl<R: Rules> Worker<'_, R> {
    /// Searches the moves of a node, until another thread has finished it.
    #[inline(always)]
    pub(super) fn search_together(
        &mut self,
        node: &Node<R>,
        moves: &MoveList<R::Geometry>,
    ) -> Score {
        let is_shared = !self.is_alone() && node.task.depth >= self.params.open_depth;
        if is_shared && self.is_overtaken() {
            self.halt();
            return Score::DRAW;
        }
        let level = is_shared.then(|| self.open_nodes.push(node.key, node.task));
        let score = self.search_moves(node, moves);
        level.and_then(|level| self.close(node, level)).unwrap_or(score)
    }

    /// Ends the search of an open node. Returns its score if another thread has found it.
    #[cold]
    fn close(&mut self, node: &Node<R>, level: usize) -> Option<Score> {
        let score = self.open_nodes.pop(level)?;
        self.resume();
        if node.task.is_pv() {
            self.follow(node);
        }
        Some(score)
    }

    /// Whether there is nothing left to find out at one of the open nodes, or at the root: the
    /// search must go back there. Outlined, as a single thread never asks.
    #[cold]
    fn is_overtaken(&mut self) -> bool {
        self.is_behind() || self.open_nodes.look(self.tt)
    }

    /// Whether this is a helping thread, and the first one has begun another search of the root
    /// that is as deep or deeper.
    fn is_behind(&mut self) -> bool {
        let lead = self.tally().round();
        if self.is_first() || lead == self.lead {
            return false;
        }
        self.lead = lead;
        lead != self.round && lead.depth >= self.round.depth
    }

    /// A search of the root begins.
    pub(super) fn begin(&mut self, round: Round) {
        self.round = round;
        if self.is_first() {
            self.tally().announce(round);
        }
    }

    /// The search of the root that the first thread has gone on to, if that has ended this one.
    pub(super) fn next_round(&mut self) -> Option<Round> {
        if self.lead == self.round || self.is_over() {
            return None;
        }
        self.resume();
        Some(self.lead)
    }

    /// Sets the principal variation of a node that another thread has finished to what the table
    /// knows of it.
    fn follow(&mut self, node: &Node<R>) {
        let mut position = node.position;
        let mut line = Vec::new();
        while line.len() < node.task.depth as usize
            && let Some(entry) = self.tt.probe(self.key(&position), node.task.ply)
            && let Some(best) = entry.mv.filter(|_| entry.bound == Bound::Exact)
            && let Some(mv) = movegen::legal_moves(&position).into_iter().find(|&mv| best.is(mv))
        {
            line.push(mv);
            position = position.after(mv);
        }
        self.variations.set(node.task.ply, &line);
    }

    /// The best remaining move and the number of moves before it. Moves that other threads are
    /// searching come last but keep their number, except the first one, which is not put off.
    #[inline(always)]
    pub(super) fn next_move(
        &self,
        node: &Node<R>,
        picker: &mut Picker<R>,
        put_off: &mut MovesPutOff<R>,
        count: &mut usize,
    ) -> Option<(BitMove<R::Geometry>, usize)> {
        while let Some(mv) = picker.next(&node.position, node.hash_move, || self.hints(node)) {
            if node.task.excluded.is_some_and(|excluded| excluded.is(mv)) {
                continue;
            }
            let index = *count;
            *count += 1;
            if index == 0 || !self.is_busy(node, mv) {
                return Some((mv, index));
            }
            put_off.push((mv, index));
        }
        put_off.pop()
    }

    /// Whether another thread is searching a move of a node.
    #[inline(always)]
    fn is_busy(&self, node: &Node<R>, mv: BitMove<R::Geometry>) -> bool {
        !self.is_alone()
            && node.task.depth >= self.params.busy_depth
            && self.tally().busy.has(node.key, mv.into())
    }

    /// Searches a move, marking it as busy for other threads meanwhile.
    #[inline(always)]
    pub(super) fn search_noted(
        &mut self,
        node: &Node<R>,
        candidate: &Candidate<R>,
        alpha: Score,
    ) -> Score {
        if self.is_alone() || candidate.index == 0 || node.task.depth < self.params.busy_depth {
            return self.search_move(node, candidate, alpha);
        }
        let busy = &self.tally().busy;
        let mv = candidate.step.mv.into();
        busy.enter(node.key, mv);
        let score = self.search_move(node, candidate, alpha);
        busy.leave(node.key, mv);
        score
    }
}
