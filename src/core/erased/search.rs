//! Searching games of any variant.

use std::any::Any;

use crate::eval::Evaluation;
use crate::instant::Instant;
use crate::rules::Variant;
use crate::search::{self, Control, Info, Limits, Params, SearchResult, ThreadPool};
use crate::tt::TranspositionTable;

use super::bitbases::Bitbases;
use super::game::Game;
use super::variant_ops::variant_ops;

/// The inputs of a search.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The game whose last position is searched.
    pub game: &'a Game,
    /// The transposition table.
    pub tt: &'a TranspositionTable,
    /// The bitbases of the variant.
    pub bitbases: &'a Bitbases,
    /// The static evaluation for the variant.
    pub evaluation: &'a Evaluation,
    /// The tunable search parameters.
    pub params: Params,
    /// The number of best root moves to report, each with its line.
    pub multipv: usize,
    /// The limits of the search.
    pub limits: Limits,
    /// The handle that stops the search or starts its clock.
    pub control: &'a Control,
    /// When to pause if the search is not over by then; `None` for never.
    pub pause: Option<Instant>,
}

/// The state from which a paused search resumes; by default, the state of a new search.
#[derive(Debug, Default)]
pub struct ResumeState(Option<Box<dyn Any + Send>>);

impl ResumeState {
    /// Whether this is the state of a paused search.
    pub fn is_paused(&self) -> bool {
        self.0.is_some()
    }

    /// Takes out the stored state and restores its type; returns the state of a new search if the
    /// stored one belongs to another variant.
    pub(super) fn take<M: Send + 'static>(&mut self) -> search::ResumeState<M> {
        let resume = self.0.take().and_then(|resume| resume.downcast().ok());
        resume.map(|resume| *resume).unwrap_or_default()
    }

    /// Stores a state and erases its type.
    pub(super) fn set<M: Send + 'static>(&mut self, resume: search::ResumeState<M>) {
        self.0 = Some(Box::new(resume));
    }
}

/// Searches with all threads of a pool until a limit is reached or a stop is requested. `sink`
/// receives reports during the search; it is not called if the game is over.
///
/// Returns `None` if the search pauses first; another call with the same game, limits and state
/// resumes it.
///
/// # Panics
///
/// Panics if the bitbases belong to another variant.
pub fn think(
    job: Job<'_>,
    pool: &mut ThreadPool,
    resume: &mut ResumeState,
    sink: &mut dyn FnMut(&Info),
) -> Option<SearchResult> {
    variant_ops(job.game.variant()).think(job, pool, resume, sink)
}

/// A pool of threads that search games of a variant.
pub fn new_thread_pool(variant: Variant, threads: usize) -> ThreadPool {
    variant_ops(variant).pool(threads)
}

/// Clears the histories of a thread pool, which must be for this variant.
pub fn clear_thread_pool(variant: Variant, pool: &mut ThreadPool) {
    variant_ops(variant).clear_pool(pool);
}
