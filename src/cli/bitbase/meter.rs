//! Long work on bitbases: how far it is, and Ctrl-C.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use rayon::ThreadPool;

use crate::bitbase::Watch;
use crate::cli::Error;
use crate::cli::progress::Bar;

/// How far the work is, and whether to end it.
pub struct Meter {
    steps: AtomicU64,
    is_stopped: Arc<AtomicBool>,
}

impl Watch for Meter {
    fn advance(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

impl Meter {
    /// Nothing is done yet; Ctrl-C will end the work.
    pub fn new() -> Result<Self, Error> {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_stopped);
        ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
            .map_err(io::Error::other)?;
        Ok(Meter { steps: AtomicU64::new(0), is_stopped })
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
        /// Between two looks.
        const INTERVAL: Duration = Duration::from_millis(100);
        const MILLION: u64 = 1_000_000;
        let bar = Bar::new(positions.div_ceil(MILLION), 0, "million positions");
        thread::scope(|scope| {
            let worker = scope.spawn(|| pool.install(work));
            while !worker.is_finished() {
                thread::sleep(INTERVAL);
                bar.set(self.steps.load(Ordering::Relaxed) / steps / MILLION, String::new());
            }
            bar.finish();
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}
