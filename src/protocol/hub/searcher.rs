//! What a session asks of those who search for it.

use std::io;

use crate::engine::Engine;
use crate::search::{Control, Limits, SearchResult};

use super::event::SearchAnswer;

/// Runs the searches of a session, one at a time.
pub trait Searcher {
    /// Starts a search.
    ///
    /// # Errors
    ///
    /// The system cannot create a thread.
    fn begin(&mut self, job: SearchJob) -> io::Result<()>;
}

/// A search to run.
pub struct SearchJob {
    /// The engine, with the position to search.
    pub engine: Box<Engine>,
    /// When to stop.
    pub limits: Limits,
    /// The signals to the running search.
    pub control: Control,
}

impl SearchJob {
    /// Whether the game is over: the answer is empty then.
    pub fn is_over(&self) -> bool {
        !self.engine.game().position().has_move()
    }
}

impl From<SearchResult> for SearchAnswer {
    fn from(best: SearchResult) -> Self {
        SearchAnswer { mv: best.mv, ponder: best.ponder, info: Some(best.info) }
    }
}
