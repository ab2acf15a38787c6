//! What a thread learns while it searches and keeps from one search of a game to the next.

use crate::board::Geometry;

use super::correction::Correction;
use super::history::History;

/// What a thread has learned.
pub(super) struct Experience {
    /// About quiet moves.
    pub(super) history: History,
    /// About the errors of the evaluation.
    pub(super) correction: Correction,
}

impl Experience {
    /// Nothing yet, about a board.
    pub(super) fn new<G: Geometry>() -> Self {
        Experience { history: History::new::<G>(), correction: Correction::new() }
    }
}
