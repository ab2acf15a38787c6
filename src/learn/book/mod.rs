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
use crate::runtime::progress::Progress;

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

/// Records a growing book.
pub trait GrowthRecorder: Sync {
    /// Counts expanded positions, with the known ones as the detail. After a stop, positions that are
    /// being expanded are given back.
    fn progress(&self) -> &dyn Progress;

    /// Records the book after positions have been expanded.
    fn record(&self, graph: &Graph);
}
