//! The weights of the static evaluation: their sources and files.
//!
//! [`learn::train`](crate::learn::train) trains the networks, and [`eval`](crate::eval) evaluates
//! positions with them.

pub mod file;
#[cfg(test)]
mod tests;

pub use file::{TrainingData, WeightsError, WeightsFile, WeightsInfo, WeightsProblem};
pub use manoury_core::eval::network::FactorizedNetwork;

use std::ffi::OsString;
use std::path::PathBuf;

use manoury_core::program_file;

use crate::eval::Evaluation;

use crate::rules::Variant;

/// Where an evaluation comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum WeightsSource {
    /// The embedded network.
    #[default]
    Embedded,
    /// The hand-crafted weights, which exist for every variant.
    HandCrafted,
    /// A weights file.
    File(PathBuf),
}

impl From<OsString> for WeightsSource {
    /// Accepts the path of a weights file, `hand` for the hand-crafted weights, or the empty string
    /// for the embedded network.
    fn from(text: OsString) -> Self {
        match text.to_str() {
            Some("") => WeightsSource::Embedded,
            Some("hand") => WeightsSource::HandCrafted,
            _ => WeightsSource::File(text.into()),
        }
    }
}

impl WeightsSource {
    /// Loads the evaluation for a variant.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or does not contain a network for the variant.
    pub fn load(&self, variant: Variant) -> Result<Evaluation, WeightsError> {
        match self {
            WeightsSource::Embedded => Ok(embedded(variant)),
            WeightsSource::HandCrafted => Ok(Evaluation::hand_crafted()),
            WeightsSource::File(path) => file::open(path, variant),
        }
    }
}

/// The embedded weights file for a variant.
fn embedded_file(variant: Variant) -> &'static [u8] {
    match variant {
        Variant::International => program_file!("international.weights"),
        Variant::Killer => program_file!("killer.weights"),
        Variant::Breakthrough => program_file!("bt.weights"),
        Variant::Losing => program_file!("losing.weights"),
        Variant::Frisian => program_file!("frisian.weights"),
        Variant::Frysk => program_file!("frysk.weights"),
        Variant::Brazilian => program_file!("brazilian.weights"),
        Variant::Russian => program_file!("russian.weights"),
        Variant::English => program_file!("english.weights"),
        Variant::Italian => program_file!("italian.weights"),
        Variant::Spanish => program_file!("spanish.weights"),
        Variant::German => program_file!("german.weights"),
        Variant::Czech => program_file!("czech.weights"),
        Variant::Pool => program_file!("pool.weights"),
        Variant::Canadian => program_file!("canadian.weights"),
        Variant::Turkish => program_file!("turkish.weights"),
    }
}

/// The embedded network for a variant, or the hand-crafted weights, with a warning in the log, if
/// there is not enough memory for it.
pub fn embedded(variant: Variant) -> Evaluation {
    file::read(embedded_file(variant), variant).unwrap_or_else(|error| {
        log::warn!("{variant}: using the hand-crafted weights: {error}");
        Evaluation::hand_crafted()
    })
}
