//! Progress reports from long-running work, and requests to stop it.

/// Receives the progress of long-running work and can stop the work. Shared between threads.
pub trait Progress: Sync {
    /// Adds to the number of units of work done.
    fn advance(&self, units: u64);

    /// Adds to a second counter that some kinds of work have, such as the number of positions of
    /// self-play games.
    fn add_detail(&self, _amount: u64) {}

    /// Whether the work should stop.
    fn is_stopped(&self) -> bool;
}

/// Ignores progress, and never stops the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn advance(&self, _units: u64) {}

    fn is_stopped(&self) -> bool {
        false
    }
}
