//! What the threads of an engine learn while they search, and keep from one search of a game to the
//! next. They share it: what one has found out about a move, the others need not find out again.

use crate::board::Geometry;

use super::correction::Correction;
use super::history::History;

/// What has been learned.
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
