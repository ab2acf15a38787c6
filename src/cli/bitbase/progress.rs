//! Progress and interruption of long work on bitbases.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::ThreadPool;

use crate::bitbase::SolveWatch;
use crate::cli::Error;
use crate::runtime::interrupt::Interrupt;

use crate::cli::progress::Bar;

/// Counts the steps done, and stops the work on Ctrl-C.
pub struct SolveProgress {
    steps: AtomicU64,
    interrupt: Interrupt,
}

impl SolveWatch for SolveProgress {
    fn advance(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}

impl SolveProgress {
    /// No steps done; catches Ctrl-C from now on.
    pub fn new() -> Result<Self, Error> {
        Ok(SolveProgress { steps: AtomicU64::new(0), interrupt: Interrupt::on_ctrl_c()? })
    }

    /// Runs `work` in a pool while this thread shows the progress in millions of positions, each of
    /// which takes `steps` steps.
    pub fn watch<T: Send>(
        &self,
        positions: u64,
        steps: u64,
        pool: &ThreadPool,
        work: impl FnOnce() -> T + Send,
    ) -> T {
        const MILLION: u64 = 1_000_000;
        let bar = Bar::new(positions.div_ceil(MILLION), 0, "million positions");
        let look = |bar: &Bar| {
            bar.set(self.steps.load(Ordering::Relaxed) / steps / MILLION, String::new());
        };
        bar.during(|| pool.install(work), look)
    }
}
