//! The progress of long-running work: rate, percentage and remaining time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub use crate::progress::{NoProgress, Progress};

use super::interrupt::Interrupt;

/// Counts the progress of work of known size. An [`Interrupt`] stops the work.
#[derive(Debug)]
pub struct ProgressCounter {
    total: u64,
    /// The number of units done in earlier runs.
    first: u64,
    done: AtomicU64,
    detail: AtomicU64,
    start: Instant,
    interrupt: Interrupt,
}

impl Progress for ProgressCounter {
    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
    }

    fn add_detail(&self, amount: u64) {
        self.detail.fetch_add(amount, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}

impl ProgressCounter {
    /// A counter for work of `total` units, of which `first` were done in earlier runs. The current
    /// run starts now.
    pub fn new(total: u64, first: u64, interrupt: Interrupt) -> ProgressCounter {
        ProgressCounter {
            total,
            first,
            done: first.into(),
            detail: 0.into(),
            start: Instant::now(),
            interrupt,
        }
    }

    /// Sets the number of units done, including those of earlier runs.
    pub fn set(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    /// The total number of units.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The number of units done, including those of earlier runs.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The sum of the amounts passed to [`Progress::add_detail`].
    pub fn detail(&self) -> u64 {
        self.detail.load(Ordering::Relaxed)
    }

    /// Units per second in this run.
    pub fn rate(&self) -> f64 {
        self.done().saturating_sub(self.first) as f64 / self.start.elapsed().as_secs_f64()
    }

    /// The sum of the amounts passed to [`Progress::add_detail`], per second.
    pub fn detail_rate(&self) -> f64 {
        self.detail() as f64 / self.start.elapsed().as_secs_f64()
    }

    /// The share of the work that is done, in percent.
    pub fn percent(&self) -> u64 {
        100 * self.done() / self.total.max(1)
    }

    /// The estimated time until the work is done; `None` if the rate is still zero.
    pub fn time_left(&self) -> Option<Duration> {
        let left = self.total.saturating_sub(self.done());
        Duration::try_from_secs_f64(left as f64 / self.rate()).ok()
    }
}
