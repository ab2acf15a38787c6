//! Observing the generation of bitbases, and why it ends early.

use super::slice::Slice;

/// Why an ending could not be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// It leads to this slice, which has not been solved.
    #[error("slice {0} has to be solved first")]
    Missing(Slice),
    /// There is not enough memory for this slice.
    #[error("not enough memory for slice {0}")]
    Memory(Slice),
    /// A win in this slice takes more plies than can be stored.
    #[error("too many plies to win in slice {0}")]
    Long(Slice),
    /// A stop was requested.
    #[error("stopped")]
    Stopped,
}

/// Observes the generation: progress and interruption.
pub trait SolveWatch: Sync {
    /// Reports that the work has advanced by a number of steps. The value of a position takes two,
    /// its distance two more: one to visit the position, one to write down the result.
    fn advance(&self, steps: u64);

    /// Whether a stop is requested.
    fn is_stopped(&self) -> bool;
}
