//! `manoury train`: an evaluation, learned from sets of positions.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Args;

use crate::arena::interrupt::Interrupt;
use crate::eval::network::FEATURES;
use crate::eval::network::file::{self, About, Data};
use crate::learn::train::{self, Epoch, Rates, Settings, Watch};
use crate::rules::{Rules, VariantVisitor};
use crate::storage::write_whole;

use super::Error;
use super::data::data_failed;
use super::game::GameArgument;
use super::interrupt::on_ctrl_c;
use super::progress::Bar;
use super::threads::Threads;

/// Train an evaluation on sets of positions
///
/// Prints the losses of each epoch: over the positions learned from, over those for validation, and
/// those again by the number of pieces, few first. Writes the weights, and beside them a picture of the
/// losses (.svg). After each epoch all that was learned is kept beside them too (.checkpoint): Ctrl-C
/// ends it, and the same command goes on.
///
/// The last line is `examples=N loss=L time=S`: examples learned from, the validation loss at the end,
/// seconds.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The folder of the sets, as `manoury data` makes it
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The file for the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    threads: Threads,
    /// How often all positions are learned from
    #[arg(long, value_name = "N", default_value_t = 8)]
    epochs: u32,
    /// Positions that the weights move by at once
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=32768))]
    batch: u32,
    /// How far the weights of features move
    #[arg(long, value_name = "R", default_value_t = 0.02)]
    rate: f64,
    /// How far the weights of the output move
    #[arg(long, value_name = "R", default_value_t = 0.03)]
    output_rate: f64,
    /// What both rates are multiplied by after each epoch
    #[arg(long, value_name = "F", default_value_t = 0.7)]
    decay: f64,
    /// The share of the result of the game in what is learned, 0 to 1; the rest is the score
    #[arg(long, value_name = "S", default_value_t = 0.0)]
    result_share: f64,
    /// What the first weights and the order are drawn by
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The commit of the program's sources, to be kept with the weights
    #[arg(long, value_name = "ID")]
    commit: Option<String>,
}

/// Trains and writes.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.game.variant.visit(Trainer(arguments))
}

struct Trainer<'a>(&'a Arguments);

impl VariantVisitor for Trainer<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Arguments { data, out, threads, .. } = self.0;
        let (settings, start) = (self.0.settings(), Instant::now());
        let (interrupt, pool) = (on_ctrl_c()?, threads.pool()?);
        let meter = Meter { examples: AtomicU64::new(0), interrupt };
        let checkpoint = beside(out, ".checkpoint");
        let found = train::data::<R>(data).map_err(data_failed)?;
        let total = found.positions * u64::from(settings.epochs);
        let learn = || train::train::<R>(data, &found, &checkpoint, &settings, &meter);
        let work = || pool.install(learn);
        let look = |bar: &Bar| bar.set(meter.examples.load(Ordering::Relaxed), String::new());
        let learned = Bar::new(total, 0, "positions").during(work, look);
        let (network, epochs) = learned.map_err(data_failed)?;

        let about = About {
            variant: R::VARIANT.name().to_owned(),
            features: FEATURES.to_owned(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            commit: self.0.commit.clone(),
            data: Data { positions: epochs.last().map_or(0, |epoch| epoch.examples), ..found },
            training: serde_json::to_value(settings)?,
        };
        let bytes = file::write(&network, &about)?;
        write_whole(out, |file| file.write_all(&bytes))?;
        fs::write(beside(out, ".svg"), train::curve(&epochs))?;
        let examples: u64 = epochs.iter().map(|epoch| epoch.examples).sum();
        let loss = epochs.last().map_or(f64::NAN, |epoch| epoch.validation_loss);
        let seconds = start.elapsed().as_secs_f64();
        writeln!(io::stdout().lock(), "examples={examples} loss={loss:.6} time={seconds:.1}")?;
        Ok(())
    }
}

impl Arguments {
    fn settings(&self) -> Settings {
        Settings {
            epochs: self.epochs,
            batch: self.batch as usize,
            rates: Rates { rows: self.rate, outputs: self.output_rate },
            decay: self.decay,
            result_share: self.result_share.clamp(0.0, 1.0),
            seed: self.seed,
        }
    }
}

/// A file with a longer name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// How far the training is, and whether to end it.
struct Meter {
    examples: AtomicU64,
    interrupt: Interrupt,
}

impl Watch for Meter {
    fn advance(&self, examples: u64) {
        self.examples.fetch_add(examples, Ordering::Relaxed);
    }

    fn see(&self, epoch: &Epoch) {
        let Epoch { number, training_loss, validation_loss, loss_by_pieces, .. } = epoch;
        let by_pieces = loss_by_pieces.map(|loss| format!("{loss:.5}")).join(" ");
        // A closed output is noticed at the end.
        let _ = writeln!(
            io::stdout().lock(),
            "epoch {number}: training {training_loss:.6}, validation {validation_loss:.6} ({by_pieces})"
        );
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}
