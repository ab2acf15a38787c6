//! The processes of the engines: the cores on which they run, and a file with all that they are sent and
//! reply.

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
    /// Give the engines of each game at the same time cores of their own (on Linux)
    #[arg(long)]
    pin: bool,
    /// Append all that the engines are sent and reply to this file: seconds, game, engine, > (sent) or
    /// < (reply), and the text, separated by tabs
    #[arg(long, value_name = "FILE")]
    debug: Option<PathBuf>,
}

impl ProcessArguments {
    /// The cores for each of the games at the same time; none if they are not to be pinned.
    ///
    /// # Errors
    ///
    /// There are too few cores, or the system cannot do it.
    pub fn cores(&self, concurrency: usize) -> Result<Vec<CoreSet>, Error> {
        match self.pin {
            true => CoreSet::for_games(concurrency).map_err(Error::usage),
            false => Ok(Vec::new()),
        }
    }

    /// The transcript, if it is requested.
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
