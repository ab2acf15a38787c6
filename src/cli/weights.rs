//! `--weights`: what positions are worth.

use std::io;

use clap::Args;

use crate::eval::network::file::{FileError, Problem};
use crate::eval::{Evaluation, Source};
use crate::rules::Rules;

use super::Error;

/// What positions are worth.
#[derive(Args, Debug)]
pub struct WeightsArgument {
    /// A file of weights, as `manoury train` makes it; `hand` for those chosen by hand [default: the best
    /// in the program]
    #[arg(long, value_name = "FILE")]
    weights: Option<Source>,
}

impl WeightsArgument {
    /// The evaluation.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is damaged or for another game.
    pub fn open<R: Rules>(&self) -> Result<Evaluation<R>, Error> {
        self.weights.clone().unwrap_or_default().load().map_err(failed)
    }
}

fn failed(error: FileError) -> Error {
    let kind = match &error.problem {
        Problem::OtherVariant(_) | Problem::NoNetwork => return Error::Input(error.to_string()),
        Problem::Io(cause) => cause.kind(),
        _ => io::ErrorKind::InvalidData,
    };
    Error::System(io::Error::new(kind, error.to_string()))
}
