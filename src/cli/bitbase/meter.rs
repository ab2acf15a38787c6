//! Long work on bitbases: how far it is, and Ctrl-C.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::ThreadPool;

use crate::arena::interrupt::Interrupt;
use crate::bitbase::Watch;
use crate::cli::Error;
use crate::cli::interrupt::on_ctrl_c;
use crate::cli::progress::Bar;

/// How far the work is, and whether to end it.
pub struct Meter {
    steps: AtomicU64,
    interrupt: Interrupt,
}

impl Watch for Meter {
    fn advance(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}

impl Meter {
    /// Nothing is done yet; Ctrl-C will end the work.
    pub fn new() -> Result<Self, Error> {
        Ok(Meter { steps: AtomicU64::new(0), interrupt: on_ctrl_c()? })
    }

    /// Works in a pool, while this thread shows how far it is, in millions of positions, each of
    /// which takes so many steps.
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
