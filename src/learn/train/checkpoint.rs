//! Checkpoints: the state of a training run between two epochs.
//!
//! ```text
//! magic    8 bytes: "Manoury" and 0x1f
//! length   u32: length of the following text, in bytes
//! text     variant, features, data, settings and completed epochs: JSON
//! numbers  f32: the parameters of the network, then the sums of their squared gradients
//! check    u32: the CRC-32 of all preceding bytes
//! ```
//!
//! Numbers are little-endian.

use std::fs;
use std::io;
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::eval::network::FEATURES;
use crate::eval::network::floats::{push_numbers, take_numbers};
use crate::learn::data::{DataError, DataProblem};
use crate::rules::Variant;
use crate::storage::format::{push_section, take_section, with_checksum};
use crate::storage::write_atomically;
use crate::weights::{FactorizedNetwork, TrainingData};

use super::model::Model;
use super::optimizer::Optimizer;
use super::{Epoch, TrainSettings};

/// The first bytes of every checkpoint file.
const MAGIC: [u8; 8] = *b"Manoury\x1f";

/// The initial sum of squared gradients of each parameter when training starts from a trained
/// network, and otherwise of the rows of states and kings. If it were 0, the first step of a rarely
/// used row would be far too large. From nothing, on 5.1 million English positions, 0.01 and 0.1
/// instead of 0 made the validation loss 1 % smaller.
const INITIAL_SQUARES: f32 = 0.05;

/// The state of a training run after some epochs.
pub(super) struct Checkpoint {
    /// The network.
    pub(super) model: Model,
    /// The state of the optimizer.
    pub(super) optimizer: Optimizer,
    /// The completed epochs.
    pub(super) epochs: Vec<Epoch>,
}

/// The text section of a checkpoint file.
#[derive(Serialize, Deserialize)]
struct CheckpointText {
    variant: String,
    /// A description of the network's features and width.
    features: String,
    data: TrainingData,
    settings: TrainSettings,
    epochs: Vec<Epoch>,
}

impl Checkpoint {
    /// Reads the checkpoint at `path`; starts a new training run if there is no file.
    pub(super) fn open(
        variant: Variant,
        path: &Path,
        data: &TrainingData,
        settings: &TrainSettings,
        from: Option<&FactorizedNetwork>,
    ) -> Result<Self, DataError> {
        if !path.exists() {
            return Ok(Self::start(variant, settings, from));
        }
        let open = || Self::read(variant, &fs::read(path)?, data, settings);
        open().map_err(|problem| problem.of(path))
    }

    fn start(variant: Variant, settings: &TrainSettings, from: Option<&FactorizedNetwork>) -> Self {
        let shape = variant.feature_shape();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        let model = match from {
            Some(parts) => Model::from_network(parts, &mut random),
            None => Model::new(shape, &mut random),
        };
        let mut squares = Model::zeros(shape);
        match from {
            Some(_) => squares.parts_mut().for_each(|part| part.fill(INITIAL_SQUARES)),
            None => squares.rows.as_flattened_mut().fill(INITIAL_SQUARES),
        }
        Checkpoint { model, optimizer: Optimizer::new(squares), epochs: Vec::new() }
    }

    fn read(
        variant: Variant,
        file: &[u8],
        data: &TrainingData,
        settings: &TrainSettings,
    ) -> Result<Self, DataProblem> {
        let (text, numbers) = decode(file)?;
        let text: CheckpointText = serde_json::from_slice(text).map_err(|_| DataProblem::Header)?;
        if text.variant != variant.name() {
            return Err(DataProblem::OtherVariant(text.variant));
        }
        if text.features != FEATURES {
            return Err(DataProblem::OtherFeatures(text.features));
        }
        if text.data != *data {
            return Err(DataProblem::OtherData);
        }
        // The number of epochs may differ.
        if (TrainSettings { epochs: settings.epochs, ..text.settings }) != *settings {
            return Err(DataProblem::OtherSettings);
        }
        let shape = variant.feature_shape();
        let (mut model, mut squares) = (Model::zeros(shape), Model::zeros(shape));
        let mut rest = numbers;
        for part in model.parts_mut().chain(squares.parts_mut()) {
            rest = take_numbers(rest, part).ok_or(DataProblem::Header)?;
        }
        // Rejects a file written for a different number of network parameters.
        if !rest.is_empty() {
            return Err(DataProblem::Header);
        }
        Ok(Checkpoint { model, optimizer: Optimizer::new(squares), epochs: text.epochs })
    }

    /// Writes the checkpoint to a file, replacing any older one.
    pub(super) fn write(
        &mut self,
        variant: Variant,
        path: &Path,
        data: &TrainingData,
        settings: &TrainSettings,
    ) -> Result<(), DataError> {
        let text = CheckpointText {
            variant: variant.name().to_owned(),
            features: FEATURES.to_owned(),
            data: data.clone(),
            settings: *settings,
            epochs: self.epochs.clone(),
        };
        let mut write = || {
            let text = serde_json::to_vec(&text)?;
            let numbers = self.model.parts_mut().chain(self.optimizer.squares.parts_mut());
            let file = encode(&text, numbers);
            write_atomically(path, |to| to.write_all(&file))?;
            io::Result::Ok(())
        };
        write().map_err(|error| DataProblem::Io(error).of(path))
    }
}

/// The bytes of a checkpoint file.
fn encode<'a>(text: &[u8], numbers: impl Iterator<Item = &'a mut [f32]>) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    push_section(&mut file, text);
    numbers.for_each(|part| push_numbers(&mut file, part));
    with_checksum(file)
}

/// The text and the numbers of a checkpoint file.
fn decode(file: &[u8]) -> Result<(&[u8], &[u8]), DataProblem> {
    let (body, check) = file.split_last_chunk().ok_or(DataProblem::NotSamples)?;
    let rest = body.strip_prefix(&MAGIC).ok_or(DataProblem::NotSamples)?;
    if crc32fast::hash(body).to_le_bytes() != *check {
        return Err(DataProblem::Header);
    }
    take_section(rest).ok_or(DataProblem::Header)
}
