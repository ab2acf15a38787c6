//! Why a command fails, the exit code it leads to, and what errors of the parser say.

use std::error::Error as _;
use std::io;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::Command;
use clap::error::{ContextKind, ErrorKind};

use crate::arena::openings::OpeningError;
use crate::runtime::log::LogError;
use crate::storage::FormatError;

use super::output::{plural, print_stderr};

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
    pub fn usage(what: impl std::fmt::Display) -> Error {
        clap::Error::raw(ErrorKind::ValueValidation, format!("{what}\n")).into()
    }

    /// The end of work on games some of which had faults, which were told.
    ///
    /// # Errors
    ///
    /// There were such games.
    pub fn check_faults(games: usize) -> Result<(), Error> {
        match games {
            0 => Ok(()),
            games => Err(Error::No(plural(games, "game with a fault", "games with faults"))),
        }
    }

    /// Reports the error on standard error; help goes to standard output.
    pub fn print(&self) {
        match self {
            // A failure to print cannot be reported.
            Error::Usage(error) => drop(error.print()),
            Error::No(_) => print_stderr(format_args!("{self}")),
            Error::Input(_) | Error::System(_) => print_stderr(format_args!("error: {self}")),
        }
    }

    /// A file that is damaged or cannot be read (exit code 3), or that is something else (2).
    pub fn for_file(message: String, problem: &FormatError) -> Error {
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

/// The greatest number that an error names as an upper limit.
const GREATEST: u64 = 1_000_000_000;

/// The command with `-1` as a value everywhere, not an unknown option.
pub fn with_negative_numbers(command: Command) -> Command {
    let allow = |argument: clap::Arg| match argument.get_action().takes_values() {
        true => argument.allow_negative_numbers(true),
        false => argument,
    };
    command.mut_args(allow).mut_subcommands(with_negative_numbers)
}

/// The error, with what would be right in place of the raw words about a faulty number.
pub fn in_words(error: clap::Error) -> clap::Error {
    let text = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let value = text(ContextKind::InvalidValue);
    let Some(wanted) = wanted(&error, &value) else {
        return error;
    };
    let argument = text(ContextKind::InvalidArg);
    let message = format!("invalid value '{value}' for '{argument}': {wanted}\n");
    clap::Error::raw(ErrorKind::ValueValidation, message)
}

/// What would be right in place of a faulty number; `None` for other errors.
fn wanted(error: &clap::Error, value: &str) -> Option<String> {
    let cause = error.source()?;
    if let Some(fault) = cause.downcast_ref::<ParseIntError>() {
        let wanted = match fault.kind() {
            IntErrorKind::PosOverflow => "the number is too large",
            _ if value.parse::<f64>().is_ok_and(|number| number < 0.0) => {
                "the number must not be negative"
            }
            _ => "a whole number is wanted",
        };
        return Some(wanted.to_owned());
    }
    if cause.is::<ParseFloatError>() {
        return Some("a number is wanted, such as 0.5".to_owned());
    }
    let text = cause.to_string();
    let (_, range) = text.split_once(" is not in ")?;
    let (least, most) = range.split_once("..")?;
    let most = most.trim_start_matches('=');
    let is_larger = |most: u64| value.parse().is_ok_and(|number: f64| number > most as f64);
    Some(match most.parse::<u64>() {
        Ok(most) if most <= GREATEST => format!("a number from {least} to {most} is wanted"),
        Ok(most) if is_larger(most) => "the number is too large".to_owned(),
        _ => format!("a number of at least {least} is wanted"),
    })
}
