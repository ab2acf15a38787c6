//! The search of any game.

use std::any::Any;

use crate::eval::Evaluation;
use crate::instant::Instant;
use crate::rules::Variant;
use crate::search::{self, Control, Info, Limits, Params, SearchResult, ThreadPool};
use crate::tt::TranspositionTable;

use super::bitbases::Bitbases;
use super::game::Game;
use super::variant_ops::variant_ops;

/// A search: what to search, and how.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The game whose last position is searched.
    pub game: &'a Game,
    /// The transposition table.
    pub tt: &'a TranspositionTable,
    /// The bitbases of the game.
    pub bitbases: &'a Bitbases,
    /// The static evaluation of the game.
    pub evaluation: &'a Evaluation,
    /// The tunable search parameters.
    pub params: Params,
    /// The number of root moves with a line of their own.
    pub multipv: usize,
    /// The limits of the search.
    pub limits: Limits,
    /// The handle to stop the search or to start its clock.
    pub control: &'a Control,
    /// When to return even if the search is not over; `None` for never.
    pub pause: Option<Instant>,
}

/// Where a search in slices resumes; from the beginning by default.
#[derive(Debug, Default)]
pub struct ResumeState(Option<Box<dyn Any + Send>>);

impl ResumeState {
    /// Whether a search has paused here.
    pub fn is_paused(&self) -> bool {
        self.0.is_some()
    }

    /// The typed state; the start of a search if it is of another game.
    pub(super) fn take<M: Send + 'static>(&mut self) -> search::ResumeState<M> {
        let resume = self.0.take().and_then(|resume| resume.downcast().ok());
        resume.map(|resume| *resume).unwrap_or_default()
    }

    /// Stores the typed state.
    pub(super) fn set<M: Send + 'static>(&mut self, resume: search::ResumeState<M>) {
        self.0 = Some(Box::new(resume));
    }
}

/// Searches with all threads of a pool until a limit is reached or a stop is requested. `sink`
/// receives reports during the search; none if the game is over.
///
/// Returns `None` if the search pauses before that; another call with the same game, limits and
/// state resumes it.
///
/// # Panics
///
/// The bitbases are of another game.
pub fn think(
    job: Job<'_>,
    pool: &mut ThreadPool,
    resume: &mut ResumeState,
    sink: &mut dyn FnMut(&Info),
) -> Option<SearchResult> {
    variant_ops(job.game.variant()).think(job, pool, resume, sink)
}

/// A pool of threads to search a game with.
pub fn new_thread_pool(variant: Variant, threads: usize) -> ThreadPool {
    variant_ops(variant).pool(threads)
}

/// Clears the histories of a thread pool, which must be of this game.
pub fn clear_thread_pool(variant: Variant, pool: &mut ThreadPool) {
    variant_ops(variant).clear_pool(pool);
}
