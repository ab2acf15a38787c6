//! `--threads` of commands that work in parallel.

use std::io;

use clap::Args;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::Error;

/// The number of worker threads.
#[derive(Args, Debug)]
pub struct Threads {
    /// Number of worker threads [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The thread pool.
    pub fn pool(&self) -> Result<ThreadPool, Error> {
        // rayon takes 0 for one thread per core.
        let threads = self.threads.map_or(0, usize::from);
        Ok(ThreadPoolBuilder::new().num_threads(threads).build().map_err(io::Error::other)?)
    }
}
