//! Growing a book: the engine searches the positions that are added to it.

mod batch;
mod grow;
mod known;
mod searcher;

pub use batch::{Expansion, take_batch};
pub use grow::{add_games, grow};
pub use known::{FoundRecord, KnownSearches};
pub use searcher::PositionSearcher;

use crate::book::{Effort, Graph};

/// How a book grows.
#[derive(Clone, Debug)]
pub struct GrowthSettings {
    /// The number of expanded positions at which the book is complete.
    pub positions: usize,
    /// The effort of the search of each new position.
    pub effort: Effort,
    /// How many positions are chosen at a time, before the first of them is searched; `None` for one
    /// by each thread.
    pub batch: Option<usize>,
    /// Searches that need not be made, as other processes have made them.
    pub known: KnownSearches,
}

/// Receives the progress of a growing book, and can stop it.
pub trait GrowthWatch: Sync {
    /// A position has been expanded.
    fn see(&self, graph: &Graph);

    /// Whether to stop. Positions that are being expanded then are given back.
    fn is_stopped(&self) -> bool;
}
