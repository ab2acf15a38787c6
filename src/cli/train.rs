//! `manoury train`: trains an evaluation on data sets.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use crate::eval::network::FEATURES;
use crate::learn::train::{self, Epoch, LearningRates, TrainRecorder, TrainSettings};
use crate::runtime::interrupt::Interrupt;
use crate::runtime::progress::{Progress, ProgressCounter};
use crate::storage::{self, write_atomically};
use crate::weights::{TrainingData, WeightsInfo, file};

use super::Error;
use super::args::{SeedArgument, ThreadsArgument, VariantArgument, weights_file};
use super::data::{CorrelationReport, data_failed};
use super::error::{decimal, number};
use super::output_file;
use super::progress::ProgressBar;

/// Train an evaluation on data sets
///
/// Prints the losses of each epoch: on the training set, on the validation set, and on the latter
/// by number of pieces, ascending. After the last epoch, prints the correlation of the evaluation
/// with the results of the validation set's games, by number of pieces, without and with kings.
/// Writes the weights, and a plot of the losses next to them (.svg). The state of the training is
/// also saved there after each epoch (.checkpoint): Ctrl-C stops the training, and the same command
/// resumes it.
///
/// The evaluation is a network over patterns of men. The same data sets, settings and seed produce
/// the same file, with any number of threads. Load the file with the option `--weights` of other
/// commands, or with the Hub parameter `weights`.
///
/// The last line is `examples=N loss=L time=S`: examples learned from, the final validation loss
/// (`-` without a validation set), seconds.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    /// Folder of the data sets, made by `manoury data`
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// File for the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    game: VariantArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Number of epochs
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<u32>(1..))]
    epochs: u32,
    /// Number of positions in a batch
    #[arg(
        long,
        alias = "batch",
        value_name = "N",
        default_value_t = 256,
        value_parser = number::<u32>(1..=32768)
    )]
    batch_size: u32,
    /// Learning rate of the feature weights, 0 to 1
    #[arg(
        long,
        alias = "rate",
        value_name = "R",
        default_value_t = 0.02,
        value_parser = decimal(0.0..=1.0)
    )]
    learning_rate: f64,
    /// Learning rate of the output weights, 0 to 1
    #[arg(long, value_name = "R", default_value_t = 0.03, value_parser = decimal(0.0..=1.0))]
    output_rate: f64,
    /// Factor by which both learning rates are multiplied after each epoch, 0 to 1
    #[arg(long, value_name = "F", default_value_t = 0.7, value_parser = decimal(0.0..=1.0))]
    decay: f64,
    /// Weight of the game's result in the target, 0 to 1; the search score gets the rest
    #[arg(long, value_name = "S", default_value_t = 0.0, value_parser = decimal(0.0..=1.0))]
    result_share: f64,
    #[command(flatten)]
    seed: SeedArgument,
    /// Initial weights instead of random ones, for the same variant; for killer and bt also those of
    /// international draughts, for frysk those of frisian
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Commit of the program's sources, stored with the weights
    #[arg(long, value_name = "ID")]
    commit: Option<String>,
}

/// The examples at the end of the help.
const EXAMPLES: &str = "Examples:
  manoury train --data sets --out my.weights
  manoury train --data sets --out next.weights --from my.weights \\
    --learning-rate 0.015 --decay 0.4 --epochs 1";

/// Trains a network, and writes its weights and a plot of the loss.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { data, out, threads, .. } = arguments;
    output_file::check_writable(out)?;
    let variant = arguments.game.variant;
    let from = arguments.from.as_deref().map(|path| weights_file(path, variant)).transpose()?;
    let settings = arguments.settings(from.as_ref().map(|file| file.checksum));
    let (from, start) = (from.as_ref().map(|file| &file.parts), Instant::now());
    let (interrupt, pool) = (Interrupt::on_ctrl_c()?, threads.pool()?);
    let checkpoint = with_suffix(out, ".checkpoint");
    let found = train::data(variant, data).map_err(data_failed)?;
    let total = found.positions * u64::from(settings.epochs);
    let learn = |counter: &ProgressCounter| {
        let recorder = EpochPrinter(counter);
        pool.install(|| {
            train::train(variant, data, &found, &checkpoint, &settings, from, &recorder)
        })
    };
    let counter = ProgressCounter::new(total, 0, interrupt);
    let learned = ProgressBar::of(counter, 1, "positions").during(learn, |_| String::new());
    let (parts, epochs) = learned.map_err(data_failed)?;

    let about = WeightsInfo {
        base: None,
        variant: variant.name().to_owned(),
        features: FEATURES.to_owned(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        commit: arguments.commit.clone(),
        data: TrainingData { positions: epochs.last().map_or(0, |epoch| epoch.examples), ..found },
        training: serde_json::to_value(settings)?,
    };
    let bytes = file::write(&parts, &about)?;
    write_atomically(out, |file| file.write_all(&bytes))?;
    let curve = with_suffix(out, ".svg");
    fs::write(&curve, train::loss_chart(&epochs)).map_err(storage::with_path(&curve))?;
    let examples: u64 = epochs.iter().map(|epoch| epoch.examples).sum();
    let loss = shown(epochs.last().and_then(|epoch| epoch.validation_loss), 6);
    let seconds = start.elapsed().as_secs_f64();
    if let Some(epoch) = epochs.last() {
        write!(io::stdout().lock(), "{}", CorrelationReport::of(&epoch.correlations))?;
    }
    writeln!(io::stdout().lock(), "examples={examples} loss={loss} time={seconds:.1}")?;
    Ok(())
}

impl Arguments {
    fn settings(&self, from: Option<u32>) -> TrainSettings {
        TrainSettings {
            epochs: self.epochs,
            batch: self.batch_size as usize,
            rates: LearningRates { rows: self.learning_rate, outputs: self.output_rate },
            decay: self.decay,
            result_share: self.result_share,
            seed: self.seed.seed,
            from,
        }
    }
}

/// The path with a suffix added to its file name.
fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// A loss with a number of decimals; `-` without a position.
fn shown(loss: Option<f64>, decimals: usize) -> String {
    loss.map_or("-".to_owned(), |loss| format!("{loss:.decimals$}"))
}

/// Prints the losses of each epoch.
struct EpochPrinter<'a>(&'a ProgressCounter);

impl TrainRecorder for EpochPrinter<'_> {
    fn progress(&self) -> &dyn Progress {
        self.0
    }

    fn record(&self, epoch: &Epoch) {
        let Epoch { number, training_loss, validation_loss, loss_by_pieces, margin_loss, .. } =
            epoch;
        let by_pieces = loss_by_pieces.map(|loss| shown(loss, 5)).join(" ");
        // Margins are measured on the validation set, too.
        let margin_loss = shown(validation_loss.map(|_| *margin_loss), 4);
        let validation_loss = shown(*validation_loss, 6);
        // The error is ignored: if the output is closed, writing the last line also fails.
        let _ = writeln!(
            io::stdout().lock(),
            "epoch {number}: training {training_loss:.6}, validation {validation_loss} ({by_pieces}), margins {margin_loss}"
        );
    }
}
