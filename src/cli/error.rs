//! What can go wrong with a command, and the exit code it leads to.

use std::io;
use std::process::ExitCode;

use super::notice::notice;

/// Why a command did not do its work.
#[derive(Debug)]
pub enum Error {
    /// The arguments make no sense (exit code 2), or help was asked for (0).
    Usage(clap::Error),
    /// The input is faulty: what, where, and what would be right. Exit code 2.
    Input(String),
    /// The command was carried out and the answer is no: a check failed, a match had faults. Exit
    /// code 1.
    No(String),
    /// A file or the system failed. Exit code 3.
    System(io::Error),
}

impl Error {
    /// Tells the user, on standard error; help goes to standard output.
    pub fn print(&self) {
        match self {
            // Nobody is there to be told of a failure to tell.
            Error::Usage(error) => drop(error.print()),
            Error::Input(message) => notice(format_args!("error: {message}")),
            Error::No(message) => notice(format_args!("{message}")),
            Error::System(error) => notice(format_args!("error: {error}")),
        }
    }

    /// The exit code of the program.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Error::Usage(error) if error.exit_code() == 0 => ExitCode::SUCCESS,
            Error::Usage(_) | Error::Input(_) => ExitCode::from(2),
            Error::No(_) => ExitCode::from(1),
            Error::System(_) => ExitCode::from(3),
        }
    }

    /// Whether the reader of the output went away.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::System(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<clap::Error> for Error {
    fn from(error: clap::Error) -> Self {
        Error::Usage(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::System(error)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Error::System(error.into())
    }
}
