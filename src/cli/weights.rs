//! `--weights`: the evaluation.

use std::path::Path;

use clap::Args;

use crate::eval::Evaluation;
use crate::rules::Variant;
use crate::storage::FormatError;
use crate::weights::{WeightsError, WeightsFile, WeightsProblem, WeightsSource, file};

use super::Error;

/// The evaluation a command uses.
#[derive(Args, Debug)]
pub struct WeightsArgument {
    /// A weights file made by `manoury train`, or `hand` for the hand-chosen weights [default: the
    /// best weights in the program]
    #[arg(long, value_name = "FILE")]
    weights: Option<WeightsSource>,
}

impl WeightsArgument {
    /// Where the evaluation comes from.
    pub fn source(&self) -> WeightsSource {
        self.weights.clone().unwrap_or_default()
    }

    /// The evaluation of a game.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is damaged, or is for another game.
    pub fn open(&self, variant: Variant) -> Result<Evaluation, Error> {
        self.source().load(variant).map_err(failed)
    }
}

/// The network in a file, to be trained further.
///
/// # Errors
///
/// The file cannot be read, is damaged, or is for another game.
pub fn weights_file(path: &Path, variant: Variant) -> Result<WeightsFile, Error> {
    file::load(path, variant).map_err(failed)
}

fn failed(error: WeightsError) -> Error {
    let message = error.to_string();
    match &error.problem {
        WeightsProblem::Format(problem) => Error::of_file(message, problem),
        WeightsProblem::OtherVariant(_) => Error::Input(message),
        WeightsProblem::TooLarge => Error::of_file(message, &FormatError::Corrupt),
    }
}
