//! The search of any game.

use std::any::Any;

use crate::eval::Evaluation;
use crate::instant::Instant;
use crate::rules::Variant;
use crate::search::{self, Best, Control, Info, Limits, Params, Pool};
use crate::tt::TranspositionTable;

use super::any_rules::any_rules;
use super::bitbases::Bitbases;
use super::game::Game;

/// What to search, and how.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The game whose last position is searched.
    pub game: &'a Game,
    /// The transposition table.
    pub tt: &'a TranspositionTable,
    /// The bitbases of the game.
    pub bitbases: &'a dyn Bitbases,
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

/// How far a search in slices has come; nowhere by default.
#[derive(Debug, Default)]
pub struct Course(Option<Box<dyn Any + Send>>);

impl Course {
    /// Whether the search has paused, and goes on from here.
    pub fn has_begun(&self) -> bool {
        self.0.is_some()
    }

    /// The typed course; nowhere if it is of another game.
    pub(super) fn take<M: Send + 'static>(&mut self) -> search::Course<M> {
        let course = self.0.take().and_then(|course| course.downcast().ok());
        course.map(|course| *course).unwrap_or_default()
    }

    /// Keeps the typed course.
    pub(super) fn set<M: Send + 'static>(&mut self, course: search::Course<M>) {
        self.0 = Some(Box::new(course));
    }
}

/// Searches with all threads of a pool until a limit is reached or a stop is requested. `sink`
/// receives the information during the search; none if the game is over.
///
/// Returns `None` if the search pauses before that: another call with the same game, limits and
/// course goes on.
///
/// # Panics
///
/// The bitbases are of another game.
pub fn think(
    job: Job<'_>,
    pool: &mut Pool,
    course: &mut Course,
    sink: &mut dyn FnMut(&Info),
) -> Option<Best> {
    any_rules(job.game.variant()).think(job, pool, course, sink)
}

/// A pool of threads to search a game with.
pub fn new_pool(variant: Variant, threads: usize) -> Pool {
    any_rules(variant).pool(threads)
}
