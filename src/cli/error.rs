//! Why a command fails, and the exit code it leads to.

use std::io;

use clap::error::ErrorKind;

use crate::arena::openings::OpeningError;
use crate::runtime::log::LogError;
use crate::storage::FormatError;

use super::counted::counted;
use super::notice::notice;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments are invalid (exit code 2), or help was requested (0).
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// The input is invalid: what is wrong, where, and what would be right. Exit code 2.
    #[error("{0}")]
    Input(String),
    /// The command ran and the answer is no: a check failed, a match had faults. Exit code 1.
    #[error("{0}")]
    No(String),
    /// A file or the system failed. Exit code 3.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl Error {
    /// Arguments that do not fit together, in the form of clap's own errors.
    pub fn refused(what: impl std::fmt::Display) -> Error {
        clap::Error::raw(ErrorKind::ValueValidation, format!("{what}\n")).into()
    }

    /// The end of work on games some of which had faults, which were told.
    ///
    /// # Errors
    ///
    /// There were such games.
    pub fn of_faulty_games(games: usize) -> Result<(), Error> {
        match games {
            0 => Ok(()),
            games => Err(Error::No(counted(games, "game with a fault", "games with faults"))),
        }
    }

    /// Reports the error on standard error; help goes to standard output.
    pub fn print(&self) {
        match self {
            // A failure to print cannot be reported.
            Error::Usage(error) => drop(error.print()),
            Error::No(_) => notice(format_args!("{self}")),
            Error::Input(_) | Error::System(_) => notice(format_args!("error: {self}")),
        }
    }

    /// A file that is damaged or cannot be read (exit code 3), or that is something else (2).
    pub fn of_file(message: String, problem: &FormatError) -> Error {
        let kind = match problem {
            FormatError::Foreign(_) => return Error::Input(message),
            FormatError::Io(cause) => cause.kind(),
            FormatError::Version { .. } | FormatError::Corrupt => io::ErrorKind::InvalidData,
        };
        Error::System(io::Error::new(kind, message))
    }

    /// The exit code of the program.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Usage(error) if error.exit_code() == 0 => 0,
            Error::Usage(_) | Error::Input(_) => 2,
            Error::No(_) => 1,
            Error::System(_) => 3,
        }
    }

    /// Whether the reader of the output has closed it.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::System(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<LogError> for Error {
    fn from(error: LogError) -> Self {
        let message = error.to_string();
        match error {
            LogError::Content(_) => Error::Input(message),
            LogError::File(_, error) => Error::System(io::Error::new(error.kind(), message)),
        }
    }
}

impl From<OpeningError> for Error {
    fn from(error: OpeningError) -> Self {
        let message = error.to_string();
        match error {
            OpeningError::Input(_) => Error::Input(message),
            OpeningError::File(_, error) => Error::System(io::Error::new(error.kind(), message)),
        }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Error::System(error.into())
    }
}
