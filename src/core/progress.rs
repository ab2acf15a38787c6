//! Progress of long work, and the request to stop it.

/// Receives the progress of long work and can stop it. Threads share it.
pub trait Progress: Sync {
    /// Adds to the units of work done.
    fn advance(&self, units: u64);

    /// Adds to a second count that some work has, such as the positions of self-play games.
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
