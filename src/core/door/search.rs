//! The search of any game.

use crate::eval::Evaluation;
use crate::rules::Variant;
use crate::search::{Best, Control, Info, Limits, Params, Pool};
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
}

/// Searches with all threads of a pool until a limit is reached or a stop is requested, and does
/// not return before the limits allow it. `sink` receives the information during the search; none
/// if the game is over.
///
/// # Panics
///
/// The bitbases are of another game.
pub fn think(job: Job<'_>, pool: &mut Pool, sink: &mut dyn FnMut(&Info)) -> Best {
    any_rules(job.game.variant()).think(job, pool, sink)
}

/// A pool of threads to search a game with.
pub fn new_pool(variant: Variant, threads: usize) -> Pool {
    any_rules(variant).pool(threads)
}
