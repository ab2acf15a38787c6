//! Errors returned by commands, their exit codes, and the wording of argument errors.

use std::error::Error as _;
use std::io;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::ops::{Bound, RangeBounds, RangeInclusive};

use clap::Command;
use clap::error::{ContextKind, ErrorKind};

use crate::arena::engine_list::EngineListError;
use crate::arena::openings::OpeningError;
use crate::engine::BitbaseFault;
use crate::runtime::log::LogError;
use crate::storage::FormatError;

use super::log_difference;

use super::output::{plural, print_stderr};

/// The reason a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments are invalid (exit code 2), or help was requested (0).
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// The input is invalid (exit code 2). The message says what is wrong, where, and what is
    /// expected.
    #[error("{0}")]
    Input(String),
    /// The command ran with a negative result, such as a failed check or a match with faults (exit
    /// code 1).
    #[error("{0}")]
    No(String),
    /// A file or system operation failed (exit code 3).
    #[error(transparent)]
    System(#[from] io::Error),
}

impl Error {
    /// An error for inconsistent arguments, in the format of clap's own errors.
    pub fn usage(what: impl std::fmt::Display) -> Error {
        clap::Error::raw(ErrorKind::ValueValidation, format!("{what}\n")).into()
    }

    /// Fails with exit code 1 if any games had errors; `games` is the number of such games.
    ///
    /// # Errors
    ///
    /// The number of games with errors is not zero.
    pub fn check_faults(games: usize) -> Result<(), Error> {
        match games {
            0 => Ok(()),
            games => Err(Error::No(plural(games, "game with errors", "games with errors"))),
        }
    }

    /// The error for interrupted work; `is_resumable` is whether the same command resumes it.
    pub fn interrupted(is_resumable: bool) -> Error {
        let hint = if is_resumable { "; the same command resumes it" } else { "" };
        Error::No(format!("interrupted{hint}"))
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

    /// The error for a file that is damaged or cannot be read (exit code 3), or is in another
    /// format (exit code 2).
    pub fn for_file(message: String, problem: &FormatError) -> Error {
        let kind = match problem {
            FormatError::WrongFormat(_) => return Error::Input(message),
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

    /// Whether the error was caused by the reader of the output closing the pipe.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::System(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<LogError> for Error {
    fn from(error: LogError) -> Self {
        let message = error.to_string();
        match error {
            LogError::Content(_) => Error::Input(message),
            LogError::Settings(difference) => Error::Input(log_difference::message(&difference)),
            LogError::File(_, error) => Error::System(io::Error::new(error.kind(), message)),
        }
    }
}

impl From<EngineListError> for Error {
    fn from(error: EngineListError) -> Self {
        let message = error.to_string();
        match error {
            EngineListError::Content { .. } => Error::Input(message),
            EngineListError::Io { error, .. } => {
                Error::System(io::Error::new(error.kind(), message))
            }
        }
    }
}

impl From<BitbaseFault> for Error {
    fn from(fault: BitbaseFault) -> Self {
        let kind = match &fault {
            BitbaseFault::NoFolder(_) => io::ErrorKind::NotFound,
            BitbaseFault::File(error) => super::args::bitbase_error_kind(error),
        };
        Error::System(io::Error::new(kind, format!("--bitbases: {fault}")))
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

/// The message for a number that overflows its type.
const TOO_LARGE: &str = "the number is too large";

/// Makes all arguments accept values such as `-1` instead of treating them as unknown options.
pub fn with_negative_numbers(command: Command) -> Command {
    let allow = |argument: clap::Arg| match argument.get_action().takes_values() {
        true => argument.allow_negative_numbers(true),
        false => argument,
    };
    command.mut_args(allow).mut_subcommands(with_negative_numbers)
}

/// Replaces the standard library's message about an invalid number with one that says what is
/// expected.
pub fn in_words(error: clap::Error) -> clap::Error {
    let text = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let value = text(ContextKind::InvalidValue);
    let Some(expected) = expected(&error, &value) else {
        return error;
    };
    let argument = text(ContextKind::InvalidArg);
    let message = format!("invalid value '{value}' for '{argument}': {expected}\n");
    clap::Error::raw(ErrorKind::ValueValidation, message)
}

/// A description of the number expected in place of an invalid one; `None` for other errors.
fn expected(error: &clap::Error, value: &str) -> Option<&'static str> {
    let cause = error.source()?;
    if let Some(cause) = cause.downcast_ref::<ParseIntError>() {
        return Some(match cause.kind() {
            IntErrorKind::PosOverflow => TOO_LARGE,
            _ if value.starts_with('-') => "the number must not be negative",
            _ => "expected a whole number",
        });
    }
    cause.is::<ParseFloatError>().then_some("expected a number, such as 0.5")
}

/// A parser for whole numbers in a range. Its errors say which numbers are expected.
pub fn number<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    range: impl RangeBounds<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    let bound = |bound: Bound<&u64>| match bound {
        Bound::Included(&number) => Some(number),
        Bound::Excluded(&number) => number.checked_sub(1),
        Bound::Unbounded => None,
    };
    let (min, max) = (bound(range.start_bound()).unwrap_or(0), bound(range.end_bound()));
    move |text| parse_number(text, min, max)?.try_into().map_err(|_| TOO_LARGE.to_owned())
}

/// A parser for numbers, whole or not, in a range. Its errors say which numbers are expected.
pub fn decimal(range: RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| match range.clone().into_inner() {
            (f64::MIN, _) => "expected a number, such as 0.5".to_owned(),
            (min, f64::MAX) => format!("expected a number of at least {min}"),
            (min, max) => format!("expected a number from {min} to {max}"),
        })
    }
}

fn parse_number(text: &str, min: u64, max: Option<u64>) -> Result<u64, String> {
    let number = match text.parse::<u64>() {
        Ok(number) if number >= min && max.is_none_or(|max| number <= max) => return Ok(number),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    match (number, max) {
        (_, Some(max)) => Err(format!("expected a whole number from {min} to {max}")),
        (Some(error), None) if *error.kind() == IntErrorKind::PosOverflow => {
            Err(TOO_LARGE.to_owned())
        }
        _ => Err(format!("expected a whole number of at least {min}")),
    }
}
