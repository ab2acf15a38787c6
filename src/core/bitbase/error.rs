//! Why the generation of bitbases ends early.

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
