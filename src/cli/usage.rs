//! Arguments that are wrong, in words for people.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::Command;
use clap::error::{ContextKind, ErrorKind};

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
