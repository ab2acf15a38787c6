//! What the threads of an engine learn while searching and keep from one search of a game to the
//! next. It is shared: what one thread finds out about a move, the others need not.

use crate::board::Geometry;

use super::correction::Correction;
use super::history::History;

/// Learned statistics.
pub(super) struct Experience {
    /// Success of quiet moves.
    pub(super) history: History,
    /// Errors of the static evaluation.
    pub(super) correction: Correction,
}

impl Experience {
    /// Nothing learned yet, for a board.
    pub(super) fn new<G: Geometry>() -> Self {
        Experience { history: History::new::<G>(), correction: Correction::new() }
    }
}
