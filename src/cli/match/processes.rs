//! The processes of the engines: the cores on which they run, and the transcript of their input and
//! output.

use std::path::PathBuf;
use std::time::SystemTime;

use clap::Args;

use crate::arena::client::cores::CoreSet;
use crate::arena::client::transcript::Transcript;
use crate::cli::Error;
use crate::storage;

/// The options for processes.
#[derive(Args, Debug)]
pub struct ProcessArguments {
    /// Pin the engines of each concurrent game to separate cores (Linux only)
    #[arg(long)]
    pin: bool,
    /// Append all input and output of the engines to this file: seconds, game, engine, > (sent) or
    /// < (received), and the text, separated by tabs
    #[arg(long, value_name = "FILE")]
    pub debug: Option<PathBuf>,
}

impl ProcessArguments {
    /// The cores for each concurrent game; empty without `--pin`.
    ///
    /// # Errors
    ///
    /// There are too few cores, or the system does not support pinning.
    pub fn cores(&self, concurrency: usize) -> Result<Vec<CoreSet>, Error> {
        match self.pin {
            true => CoreSet::for_games(concurrency).map_err(Error::usage),
            false => Ok(Vec::new()),
        }
    }

    /// The transcript; `None` if not requested.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn transcript(&self) -> Result<Option<Transcript>, Error> {
        let open = |path: &PathBuf| {
            let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
            Transcript::open(path, &date).map_err(storage::with_path(path))
        };
        Ok(self.debug.as_ref().map(open).transpose()?)
    }
}
