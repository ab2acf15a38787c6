//! `--threads` of work that is there to be done.

use std::io;

use clap::Args;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::Error;

/// How many threads work.
#[derive(Args, Debug)]
pub struct Threads {
    /// Threads to work with [default: one a core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The threads.
    pub fn pool(&self) -> Result<ThreadPool, Error> {
        // No number means one thread a core.
        let threads = self.threads.map_or(0, usize::from);
        Ok(ThreadPoolBuilder::new().num_threads(threads).build().map_err(io::Error::other)?)
    }
}
