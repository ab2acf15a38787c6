//! Training: a network learns what searches have found out.
//!
//! The loss is the logistic one, on the chance to win that a score stands for, less what no network could
//! do better. All data go through several times, in another order each time, and each time the network
//! moves less. The same data, settings and seed make the same network, whatever the threads do.

mod checkpoint;
mod curve;
mod examples;
mod export;
mod model;
mod step;
mod stream;

pub use curve::curve;
pub use step::Rates;

use std::mem;
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::eval::network::file::Data;
use crate::eval::network::{BUCKETS, Network};
use crate::learn::data::{DataError, Problem, Set};
use crate::learn::dataset;
use crate::rules::Rules;

use checkpoint::Checkpoint;
use examples::Examples;

/// How to learn.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// How often all data go through.
    pub epochs: u32,
    /// Examples that the network moves by at once.
    pub batch: usize,
    /// How far it moves.
    pub rates: Rates,
    /// What the rates are multiplied by after each epoch.
    pub decay: f64,
    /// The share of the result of a game in what is to be learned, 0 to 1; the rest is the score.
    pub result_share: f64,
    /// What the first numbers and the order are drawn by.
    pub seed: u64,
}

/// What an epoch has brought.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Epoch {
    /// Its number, from 1 on.
    pub number: u32,
    /// Examples learned from.
    pub examples: u64,
    /// The mean loss over them, each before it was learned from.
    pub training_loss: f64,
    /// The mean loss over the validation set.
    pub validation_loss: f64,
    /// The same by the number of pieces, few first, as the output rows.
    pub loss_by_pieces: [f64; BUCKETS],
}

/// Looks on while a network learns.
pub trait Watch: Sync {
    /// So many more examples have been learned from.
    fn advance(&self, examples: u64);

    /// An epoch is over, now or in an earlier run.
    fn see(&self, epoch: &Epoch);

    /// Whether to stop. The epoch under way is lost.
    fn is_stopped(&self) -> bool;
}

/// Learns from the sets of a folder, that [`data`] has told about, with rayon's threads. After each epoch
/// all that was learned is written to a file, and the same data and settings go on from there. Returns the
/// network and its epochs.
///
/// # Errors
///
/// A file cannot be read or written or is damaged, or there is none; the checkpoint is of other data or
/// settings; the numbers have become too large.
pub fn train<R: Rules>(
    folder: &Path,
    data: &Data,
    checkpoint: &Path,
    settings: &Settings,
    watch: &impl Watch,
) -> Result<(Network<R::Geometry>, Vec<Epoch>), DataError> {
    let files = stream::files::<R>(folder, Set::Training)?;
    let validation = stream::files::<R>(folder, Set::Validation)?;
    let validation = stream::examples::<R>(&validation, settings.result_share as f32, watch)?;
    let mut state = Checkpoint::open::<R>(checkpoint, data, settings)?;
    state.epochs.iter().for_each(|epoch| watch.see(epoch));
    while state.epochs.len() < settings.epochs as usize {
        let learned = learn::<R>(&mut state, files.clone(), settings, watch)?;
        go_on(watch, checkpoint)?;
        let epoch = judge::<R>(&state, learned, &validation);
        watch.see(&epoch);
        state.epochs.push(epoch);
        state.write::<R>(checkpoint, data, settings)?;
    }
    let network = export::export(&state.model);
    Ok((network.ok_or_else(|| Problem::TooLarge.of(checkpoint))?, state.epochs))
}

/// What there is to learn from in a folder, with about how many positions.
///
/// # Errors
///
/// A file cannot be read, or there is none.
pub fn data<R: Rules>(folder: &Path) -> Result<Data, DataError> {
    let files = stream::files::<R>(folder, Set::Training)?;
    let positions = dataset::positions::<R>(&files)?;
    Ok(Data { positions, checksum: stream::checksum(&files)? })
}

/// An error that names the work, if it is to stop.
fn go_on(watch: &impl Watch, work: &Path) -> Result<(), DataError> {
    if watch.is_stopped() { Err(Problem::Stopped.of(work)) } else { Ok(()) }
}

/// The sum of the losses of examples, and how many there are.
type Losses = (f64, u64);

/// One epoch: while one file is learned from, the next is read.
fn learn<R: Rules>(
    state: &mut Checkpoint,
    mut files: Vec<PathBuf>,
    settings: &Settings,
    watch: &impl Watch,
) -> Result<Losses, DataError> {
    let number = state.epochs.len() as u32 + 1;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed ^ u64::from(number) << 32);
    files.shuffle(&mut random);
    let rates = settings.rates.times(settings.decay.powi(number as i32 - 1));
    let pace = Pace { batch: settings.batch, rates };
    let read =
        |files: &[PathBuf]| stream::examples::<R>(files, settings.result_share as f32, watch);
    let (mut loss, mut count) = (0.0, 0);
    let mut next = read(files.get(..1).unwrap_or_default())?;
    for place in 1..=files.len() {
        let examples = mem::take(&mut next);
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        order.shuffle(&mut random);
        let (read, part) = rayon::join(
            || read(files.get(place..=place).unwrap_or_default()),
            || learn_file::<R>(state, &examples, &order, pace, watch),
        );
        next = read?;
        loss += part;
        count += order.len() as u64;
    }
    Ok((loss, count))
}

/// What an epoch has come to.
fn judge<R: Rules>(state: &Checkpoint, learned: Losses, validation: &Examples) -> Epoch {
    let mean = |(sum, count): Losses| sum / count.max(1) as f64;
    let losses = step::losses::<R::Geometry>(&state.model, validation);
    let all = losses.iter().fold((0.0, 0), |(sum, all), part| (sum + part.0, all + part.1));
    Epoch {
        number: state.epochs.len() as u32 + 1,
        examples: learned.1,
        training_loss: mean(learned),
        validation_loss: mean(all),
        loss_by_pieces: losses.map(mean),
    }
}

/// How an epoch learns.
#[derive(Clone, Copy)]
struct Pace {
    batch: usize,
    rates: Rates,
}

/// Learns from the examples of a file, in an order. Returns the sum of their losses.
fn learn_file<R: Rules>(
    state: &mut Checkpoint,
    examples: &Examples,
    order: &[u32],
    pace: Pace,
    watch: &impl Watch,
) -> f64 {
    let Checkpoint { model, memory, .. } = state;
    let mut loss = 0.0;
    for batch in order.chunks(pace.batch) {
        if watch.is_stopped() {
            break;
        }
        loss += step::step::<R::Geometry>(model, memory, examples, batch, pace.rates);
        watch.advance(batch.len() as u64);
    }
    loss
}
