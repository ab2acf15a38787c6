//! `--weights`: the evaluation.

use clap::Args;

use crate::engine;
use crate::eval::network::file::{FileError, WeightsProblem};
use crate::eval::{Evaluation, Source};
use crate::rules::Variant;
use crate::storage::FormatError;

use super::Error;

/// The evaluation a command uses.
#[derive(Args, Debug)]
pub struct WeightsArgument {
    /// A weights file made by `manoury train`, or `hand` for the hand-chosen weights [default: the
    /// best weights in the program]
    #[arg(long, value_name = "FILE")]
    weights: Option<Source>,
}

impl WeightsArgument {
    /// The evaluation of a game.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is damaged, or is for another game.
    pub fn open(&self, variant: Variant) -> Result<Evaluation, Error> {
        let source = self.weights.clone().unwrap_or_default();
        engine::evaluation(variant, &source).map_err(failed)
    }
}

fn failed(error: FileError) -> Error {
    let message = error.to_string();
    match &error.problem {
        WeightsProblem::Format(problem) => Error::of_file(message, problem),
        WeightsProblem::OtherVariant(_) => Error::Input(message),
        WeightsProblem::TooLarge => Error::of_file(message, &FormatError::Corrupt),
    }
}
