//! What the threads of an engine learn while searching and keep from one search of a game to the
//! next. It is shared: what one thread finds out about a move, the others need not.

use crate::board::Geometry;

use super::correction::Correction;
use super::eval_cache::EvalCache;
use super::history::History;

/// Learned statistics.
pub(super) struct Experience {
    /// Success of quiet moves.
    pub(super) history: History,
    /// Errors of the static evaluation.
    pub(super) correction: Correction,
    /// Static evaluations, by thread.
    pub(super) evaluations: Vec<EvalCache>,
}

impl Experience {
    /// Nothing learned yet, for a board and a number of threads.
    pub(super) fn new<G: Geometry>(threads: usize) -> Self {
        Experience {
            history: History::new::<G>(),
            correction: Correction::new(),
            evaluations: (0..threads).map(|_| EvalCache::new()).collect(),
        }
    }
}
