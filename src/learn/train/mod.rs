//! Trains a network to predict search scores.
//!
//! Scores are converted to winning chances; the loss is the logistic loss minus its minimum. Each
//! epoch goes through all data in a new random order, and the learning rates decay from epoch to
//! epoch. The resulting network depends only on the data, the settings and the seed, not on the
//! number of threads.

mod checkpoint;
mod gradient;
mod model;
mod optimizer;
mod quantize;
mod training_set;

pub use optimizer::LearningRates;

use std::mem;
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::eval::network::BUCKETS;
use crate::learn::correlation::{ResultCorrelations, winning_chance};
use crate::learn::data::{DataError, DataProblem, Split};
use crate::learn::dataset;
use crate::rules::Variant;
use crate::runtime::progress::Progress;
use crate::weights::{FactorizedNetwork, TrainingData};

use checkpoint::Checkpoint;
use model::Model;
use quantize::quantize;
use training_set::TrainingSet;

/// The hyperparameters of a training run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainSettings {
    /// The number of epochs.
    pub epochs: u32,
    /// The number of examples in a batch.
    pub batch: usize,
    /// The learning rates in the first epoch.
    pub rates: LearningRates,
    /// The factor by which the learning rates are multiplied after each epoch.
    pub decay: f64,
    /// The weight of the game result in the target, 0 to 1; the search score has the remaining
    /// weight.
    pub result_share: f64,
    /// The random seed for the initial parameters and for the order of examples.
    pub seed: u64,
    /// The checksum of the initial network; `None` for an untrained one.
    #[serde(default)]
    pub from: Option<u32>,
}

/// The results of an epoch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Epoch {
    /// The number of the epoch, counted from 1.
    pub number: u32,
    /// The number of training examples.
    pub examples: u64,
    /// The mean loss over the training examples, each computed before the step for its batch.
    pub training_loss: f64,
    /// The mean loss over the validation set after the epoch; `None` if that is empty.
    pub validation_loss: Option<f64>,
    /// The mean validation loss for each output row, i.e. by number of pieces, ascending; `None`
    /// for rows without positions.
    pub loss_by_pieces: [Option<f64>; BUCKETS],
    /// The mean validation loss of the margins: the negative logarithm of the predicted probability
    /// of the result.
    pub margin_loss: f64,
    /// The correlation of the evaluation with the results of the validation set's games. Empty in
    /// older checkpoints.
    #[serde(default)]
    pub correlations: ResultCorrelations,
}

/// Receives the progress and the epochs of a training run.
pub trait TrainRecorder: Sync {
    /// Counts training examples. When stopped, the current epoch is lost.
    fn progress(&self) -> &dyn Progress;

    /// Called with each completed epoch, including those of earlier runs.
    fn record(&self, epoch: &Epoch);
}

/// Trains a network on the data set in `folder`, on rayon's threads. `data` is the description that
/// [`data`] returns for the folder. Training starts from the network `from`, whose checksum must be
/// in the settings, or from an untrained network if `from` is `None`. After each epoch, the state
/// is written to `checkpoint`; another run with the same data and settings continues from it.
/// Returns the network and the epochs.
///
/// # Errors
///
/// A file cannot be read or written, is damaged or missing; the checkpoint was made with different
/// data or settings; a parameter exceeds the range of the engine's integers; the work was stopped.
pub fn train(
    variant: Variant,
    folder: &Path,
    data: &TrainingData,
    checkpoint: &Path,
    settings: &TrainSettings,
    from: Option<&FactorizedNetwork>,
    recorder: &dyn TrainRecorder,
) -> Result<(FactorizedNetwork, Vec<Epoch>), DataError> {
    let progress = recorder.progress();
    let files = training_set::files(variant, folder, Split::Training)?;
    let validation = training_set::files(variant, folder, Split::Validation)?;
    let share = settings.result_share as f32;
    let validation = training_set::examples(variant, &validation, share, progress)?;
    let mut state = Checkpoint::open(variant, checkpoint, data, settings, from)?;
    state.epochs.iter().for_each(|epoch| recorder.record(epoch));
    while state.epochs.len() < settings.epochs as usize {
        let losses = run_epoch(variant, &mut state, files.clone(), settings, progress)?;
        check_stop(progress, checkpoint)?;
        let epoch = validate(&state, losses, &validation);
        recorder.record(&epoch);
        state.epochs.push(epoch);
        state.write(variant, checkpoint, data, settings)?;
    }
    let parts = quantize(&state.model, &state.optimizer.squares);
    if parts.network().is_none() {
        return Err(DataProblem::TooLarge.of(checkpoint));
    }
    Ok((parts, state.epochs))
}

/// Describes the training data in a folder: its checksum and approximate number of positions.
///
/// # Errors
///
/// A file cannot be read, or the folder contains no training file.
pub fn data(variant: Variant, folder: &Path) -> Result<TrainingData, DataError> {
    let files = training_set::files(variant, folder, Split::Training)?;
    let positions = dataset::positions(variant, &files)?;
    Ok(TrainingData { positions, checksum: training_set::checksum(&files)? })
}

/// Returns an error about the path `work` if `progress` is stopped.
fn check_stop(progress: &dyn Progress, work: &Path) -> Result<(), DataError> {
    if progress.is_stopped() { Err(DataProblem::Stopped.of(work)) } else { Ok(()) }
}

/// The sum of the losses of a set of examples, and the number of examples.
type Losses = (f64, u64);

/// Runs one epoch. While the network is trained on one file, the next is read.
fn run_epoch(
    variant: Variant,
    state: &mut Checkpoint,
    mut files: Vec<PathBuf>,
    settings: &TrainSettings,
    progress: &dyn Progress,
) -> Result<Losses, DataError> {
    let number = state.epochs.len() as u32 + 1;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed ^ u64::from(number) << 32);
    files.shuffle(&mut random);
    let rates = settings.rates.times(settings.decay.powi(number as i32 - 1));
    let share = settings.result_share as f32;
    let read = |files: &[PathBuf]| training_set::examples(variant, files, share, progress);
    let (mut loss, mut count) = (0.0, 0);
    let mut next = read(files.get(..1).unwrap_or_default())?;
    for place in 1..=files.len() {
        let examples = mem::take(&mut next);
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        order.shuffle(&mut random);
        let (read, part) = rayon::join(
            || read(files.get(place..=place).unwrap_or_default()),
            || learn(state, &examples, order.chunks(settings.batch), rates, progress),
        );
        next = read?;
        loss += part;
        count += order.len() as u64;
    }
    Ok((loss, count))
}

/// Performs an optimizer step for each batch of examples. Returns the sum of the losses.
fn learn<'a>(
    state: &mut Checkpoint,
    examples: &TrainingSet,
    batches: impl Iterator<Item = &'a [u32]>,
    rates: LearningRates,
    progress: &dyn Progress,
) -> f64 {
    let Checkpoint { model, optimizer, .. } = state;
    let mut loss = 0.0;
    for batch in batches {
        if progress.is_stopped() {
            break;
        }
        loss += optimizer.step(model, examples, batch, rates);
        progress.advance(batch.len() as u64);
    }
    loss
}

/// Computes the validation losses after an epoch, and returns all results of the epoch.
fn validate(state: &Checkpoint, training: Losses, validation: &TrainingSet) -> Epoch {
    let mean = |(sum, count): Losses| (count > 0).then(|| sum / count as f64);
    let losses = gradient::losses(&state.model, validation);
    let all = losses.iter().fold((0.0, 0), |(sum, all), part| (sum + part.0, all + part.1));
    Epoch {
        number: state.epochs.len() as u32 + 1,
        examples: training.1,
        training_loss: mean(training).unwrap_or_default(),
        validation_loss: mean(all),
        loss_by_pieces: losses.map(mean),
        margin_loss: gradient::margin_loss(&state.model, validation),
        correlations: correlations(&state.model, validation),
    }
}

/// The correlation of the evaluation with the results of the examples' games.
fn correlations(model: &Model, examples: &TrainingSet) -> ResultCorrelations {
    let mut correlations = ResultCorrelations::default();
    for (example, result) in examples.results.iter().enumerate() {
        let Some(result) = result else { continue };
        let lead = model.predict(examples, example).lead;
        let has_kings = !examples.kings_of(example).is_empty();
        let points = f64::from(result.half_points()) / 2.0;
        let pieces = usize::from(examples.pieces[example]);
        correlations.add(pieces, has_kings, winning_chance(lead).into(), points);
    }
    correlations
}

/// The width and height of the chart.
const SIZE: [f64; 2] = [640.0, 400.0];
/// The margin around the curves, with room for the axis labels.
const MARGIN: f64 = 60.0;

/// The training and validation losses of all epochs as an SVG chart.
pub fn loss_chart(epochs: &[Epoch]) -> String {
    let losses = epochs
        .iter()
        .flat_map(|epoch| [Some(epoch.training_loss), epoch.validation_loss])
        .flatten();
    let most = losses.clone().fold(f64::MIN_POSITIVE, f64::max) * 1.05;
    let least = losses.fold(most, f64::min) * 0.95;
    let [width, height] = SIZE.map(|side| side - 2.0 * MARGIN);
    let last = (epochs.len().max(2) - 1) as f64;
    let x = |place: usize| MARGIN + width * place as f64 / last;
    let y = |loss: f64| MARGIN + height * (most - loss) / (most - least).max(f64::MIN_POSITIVE);

    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        SIZE[0], SIZE[1],
    );
    for step in 0..=4 {
        let loss = least + (most - least) * f64::from(step) / 4.0;
        let (left, right, y) = (MARGIN, SIZE[0] - MARGIN, y(loss));
        picture += &format!(
            "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.4}</text>\n",
            left - 6.0,
            y + 4.0,
        );
    }
    for (place, epoch) in epochs.iter().enumerate() {
        picture += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
            x(place),
            SIZE[1] - MARGIN + 20.0,
            epoch.number,
        );
    }
    type Loss = fn(&Epoch) -> Option<f64>;
    let curves: [(&str, &str, Loss); 2] = [
        ("training", "#c60", |epoch| Some(epoch.training_loss)),
        ("validation", "#06c", |epoch| epoch.validation_loss),
    ];
    for (number, (name, colour, loss)) in curves.into_iter().enumerate() {
        let losses = epochs.iter().enumerate();
        let losses = losses.filter_map(|(place, epoch)| Some((place, loss(epoch)?)));
        let points: Vec<_> =
            losses.map(|(place, loss)| format!("{:.1},{:.1}", x(place), y(loss))).collect();
        picture += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <text x=\"{}\" y=\"{}\" fill=\"{colour}\">{name} loss</text>\n",
            points.join(" "),
            MARGIN + 10.0,
            20.0 + 16.0 * number as f64,
        );
    }
    picture + "</svg>\n"
}
