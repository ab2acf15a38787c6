//! The record of a node: its task, what is known about it, the results of its moves.

use smallvec::SmallVec;

use crate::board::{BitMove, PackedMove};
use crate::position::{BitPosition, Key};
use crate::rules::Rules;
use crate::score::{Bound, Score};
use crate::tt::Entry;

use super::history::HistoryPlace;

/// How to search the last position of the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    /// The remaining depth, in plies.
    pub(super) depth: i32,
    /// The distance from the root, in plies.
    pub(super) ply: usize,
    /// The lower bound of the window.
    pub(super) alpha: Score,
    /// The upper bound of the window.
    pub(super) beta: Score,
    /// Whether it is an expected cut node: one that should fail high.
    pub(super) is_cut: bool,
    /// A move to leave out, for a singular extension search.
    pub(super) excluded: Option<PackedMove>,
}

impl Task {
    /// The root, with an open window.
    pub(super) const ROOT: Task = Task {
        depth: 1,
        ply: 0,
        alpha: Score(-Score::INFINITY.0),
        beta: Score::INFINITY,
        is_cut: false,
        excluded: None,
    };

    /// Whether the node is on the principal variation: its exact score matters.
    #[inline(always)]
    pub(super) fn is_pv(&self) -> bool {
        self.beta.0 - self.alpha.0 > 1
    }

    /// The score of an entry if it decides the node.
    #[inline(always)]
    pub(super) fn decision(&self, entry: Entry) -> Option<Score> {
        let &Task { depth, alpha, beta, .. } = self;
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score >= beta,
            Bound::Upper => entry.score <= alpha,
        };
        // A proven end of the game holds at any depth.
        let is_deep = i32::from(entry.depth) >= depth || entry.score.is_decisive();
        (decides && is_deep).then_some(entry.score)
    }
}

/// A position being searched, with all that is known about it.
pub(super) struct Node<R: Rules> {
    /// The position.
    pub(super) position: BitPosition<R>,
    /// Its task, with the window narrowed by mate distance pruning.
    pub(super) task: Task,
    /// Its key in the transposition table.
    pub(super) key: Key,
    /// Its entry there.
    pub(super) known: Option<Entry>,
    /// The best move of that entry.
    pub(super) hash_move: Option<PackedMove>,
    /// The static evaluation, raw and corrected; `None` if there is a capture.
    pub(super) eval: Option<(Score, Score)>,
    /// Whether the opponent could capture if it were their turn.
    pub(super) is_threatened: bool,
    /// Whether the static evaluation has risen in the last two plies.
    pub(super) is_improving: bool,
    /// Whether the side to move must capture.
    pub(super) has_capture: bool,
    /// Whether there is only one legal move.
    pub(super) is_forced: bool,
    /// Selects its history entries.
    pub(super) place: HistoryPlace,
}

/// A move of a node, with the position after it.
#[derive(Clone, Copy)]
pub(super) struct Step<R: Rules> {
    /// The move.
    pub(super) mv: BitMove<R::Geometry>,
    /// The position after it.
    pub(super) after: BitPosition<R>,
}

/// A move about to be searched.
#[derive(Clone, Copy)]
pub(super) struct Candidate<R: Rules> {
    /// The move.
    pub(super) step: Step<R>,
    /// The number of moves before it.
    pub(super) index: usize,
    /// The remaining depth after it, without the reduction.
    pub(super) depth: i32,
    /// The reduction of its first search, in plies.
    pub(super) reduction: i32,
}

/// The results of the moves of a node.
pub(super) struct Findings<R: Rules> {
    /// The best score.
    pub(super) best: Score,
    /// Alpha, raised by the best score.
    pub(super) low: Score,
    /// The move that raised it.
    pub(super) best_move: Option<BitMove<R::Geometry>>,
    /// The moves searched, in order.
    pub(super) searched: SmallVec<[BitMove<R::Geometry>; 32]>,
}

/// Moves that other threads were searching when their turn came, each with the number of moves
/// before it.
pub(super) type MovesPutOff<R> = SmallVec<[(BitMove<<R as Rules>::Geometry>, usize); 16]>;

impl<R: Rules> Findings<R> {
    /// No results yet; scores up to alpha do not count.
    #[inline(always)]
    pub(super) fn new(alpha: Score) -> Self {
        Findings { best: -Score::INFINITY, low: alpha, best_move: None, searched: SmallVec::new() }
    }

    /// Whether some move is not a proven loss: only then may others be skipped.
    #[inline(always)]
    pub(super) fn has_hope(&self) -> bool {
        self.best > -Score::MAX_EVALUATION
    }

    /// Records the score of a move; returns whether it raised alpha.
    #[inline(always)]
    pub(super) fn add(&mut self, mv: BitMove<R::Geometry>, score: Score) -> bool {
        self.searched.push(mv);
        self.best = self.best.max(score);
        let is_best = score > self.low;
        if is_best {
            self.low = score;
            self.best_move = Some(mv);
        }
        is_best
    }
}

impl<R: Rules> Step<R> {
    /// A legal move of a position. Not inlined, to make the program smaller.
    #[inline(never)]
    pub(super) fn new(position: &BitPosition<R>, mv: BitMove<R::Geometry>) -> Self {
        Step { mv, after: position.after(mv) }
    }
}

impl<R: Rules> Node<R> {
    /// The corrected evaluation if the position is quiet: no capture for either side.
    #[inline(always)]
    pub(super) fn quiet_eval(&self) -> Option<Score> {
        match self.eval {
            Some((_, corrected)) if !self.is_threatened => Some(corrected),
            _ => None,
        }
    }
}
