//! The record of one node: what is asked, what is known, what its moves have brought.

use smallvec::SmallVec;

use crate::board::{Move, PackedMove};
use crate::position::{Key, Position};
use crate::rules::Rules;
use crate::score::{Bound, Score};
use crate::tt::Entry;

use super::history::Place;

/// What is asked about the last position of the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    /// How deep to search, in plies.
    pub(super) depth: i32,
    /// The distance from the root.
    pub(super) ply: usize,
    /// The score must be above it to matter.
    pub(super) alpha: Score,
    /// The score need not be known further than it.
    pub(super) beta: Score,
    /// Whether a score of at least beta is expected.
    pub(super) is_cut: bool,
    /// A move that is left out, to see how good the others are.
    pub(super) excluded: Option<PackedMove>,
    /// Whether a search with raised limits may decide: not within such a search.
    pub(super) may_probe: bool,
}

impl Task {
    /// The root, with nothing known.
    pub(super) const ROOT: Task = Task {
        depth: 1,
        ply: 0,
        alpha: Score(-Score::INFINITY.0),
        beta: Score::INFINITY,
        is_cut: false,
        excluded: None,
        may_probe: true,
    };

    /// Whether the exact score matters: the node is on the principal variation.
    #[inline(always)]
    pub(super) fn is_pv(&self) -> bool {
        self.beta.0 - self.alpha.0 > 1
    }
}

/// A position that is searched, with all that has been found out about it.
pub(super) struct Node<R: Rules> {
    /// The position.
    pub(super) position: Position<R>,
    /// What is asked; alpha and beta as the rules of the game narrow them.
    pub(super) task: Task,
    /// Its key in the transposition table.
    pub(super) key: Key,
    /// Its entry there.
    pub(super) known: Option<Entry>,
    /// The best move by that entry.
    pub(super) hash_move: Option<PackedMove>,
    /// The static evaluation as it is and corrected; `None` where there is a capture to make.
    pub(super) eval: Option<(Score, Score)>,
    /// Whether the opponent could capture if it were its turn.
    pub(super) is_threatened: bool,
    /// Whether the evaluation has risen in the last two plies.
    pub(super) is_improving: bool,
    /// Whether there is one legal move.
    pub(super) is_forced: bool,
    /// Where in the history it belongs.
    pub(super) place: Place,
}

/// A move on its way into the search.
#[derive(Clone, Copy)]
pub(super) struct Candidate<R: Rules> {
    /// The move.
    pub(super) mv: Move<R::Geometry>,
    /// How many moves were searched before it.
    pub(super) index: usize,
    /// The depth after it.
    pub(super) depth: i32,
    /// By how much less to search it at first.
    pub(super) reduction: i32,
}

/// What the moves of a node have brought.
pub(super) struct Findings<R: Rules> {
    /// The best score.
    pub(super) best: Score,
    /// The best score that matters: alpha, or better.
    pub(super) low: Score,
    /// The move that has brought it.
    pub(super) best_move: Option<Move<R::Geometry>>,
    /// The moves searched, in order.
    pub(super) searched: SmallVec<[Move<R::Geometry>; 32]>,
}

/// Moves that other threads were at when their turn came.
pub(super) type MovesPutOff<R> = SmallVec<[Move<<R as Rules>::Geometry>; 16]>;

impl<R: Rules> Findings<R> {
    /// Nothing yet, with scores up to alpha of no interest.
    #[inline(always)]
    pub(super) fn new(alpha: Score) -> Self {
        Findings { best: -Score::INFINITY, low: alpha, best_move: None, searched: SmallVec::new() }
    }

    /// Whether there is a move that does not lose by force: only then others may be left out.
    #[inline(always)]
    pub(super) fn has_hope(&self) -> bool {
        self.best > -Score::MAX_EVALUATION
    }

    /// A move has been searched; returns whether it is the best that matters.
    #[inline(always)]
    pub(super) fn add(&mut self, mv: Move<R::Geometry>, score: Score) -> bool {
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

impl<R: Rules> Node<R> {
    /// The score of an entry if it decides the node. Nodes of the principal variation are searched
    /// anyway, for the whole variation and for draws that the table does not see.
    #[inline(always)]
    pub(super) fn cutoff(&self, entry: Entry) -> Option<Score> {
        let Task { depth, alpha, beta, .. } = self.task;
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score >= beta,
            Bound::Upper => entry.score <= alpha,
        };
        // The end of a game that has been seen stays where it is, however deep one looks.
        let is_deep = i32::from(entry.depth) >= depth || entry.score.is_decisive();
        (decides && is_deep && !self.task.is_pv()).then_some(entry.score)
    }

    /// The corrected evaluation if it can be trusted: there is nothing to capture for either side.
    #[inline(always)]
    pub(super) fn quiet_eval(&self) -> Option<Score> {
        match self.eval {
            Some((_, corrected)) if !self.is_threatened => Some(corrected),
            _ => None,
        }
    }
}
