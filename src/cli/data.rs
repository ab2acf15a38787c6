//! `manoury data`: games as sets of positions to learn from.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use clap::error::ErrorKind;
use serde::Serialize;

use crate::arena::interrupt::Interrupt;
use crate::learn::data::{DataError, Problem, Sample};
use crate::learn::dataset::{self, Made, Settings, Statistics, Watch};
use crate::rules::{Rules, VariantVisitor};

use super::Error;
use super::game::GameArgument;
use super::interrupt::on_ctrl_c;
use super::progress::Bar;
use super::table;
use super::threads::Threads;

/// Tell what is in self-play games, and make sets of positions of them
///
/// With --out the positions of all games go into files to learn from: each position once, as it was
/// found last, in random order, those of some games apart for validation. Positions that differ by a
/// half turn and the colours are the same.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Folders of games, the newest last
    #[arg(value_name = "DIR", required = true)]
    from: Vec<PathBuf>,
    /// The folder for the sets, empty or new
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    game: GameArgument,
    /// Games for validation, in percent of all
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0)]
    validation: f64,
    /// What the order and the games for validation are drawn by
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object: variant, games, white, draws, black (games by their ends), positions, threatened
    /// (by a capture), decisive (proven won or lost), pieces (positions by their number of pieces),
    /// mean_score (in men), and with --out training, validation, doubles
    #[arg(long)]
    json: bool,
}

/// What is told.
#[derive(Serialize)]
struct Report {
    variant: &'static str,
    #[serde(flatten)]
    statistics: Statistics,
    #[serde(flatten)]
    sets: Option<Sets>,
}

/// How many positions there are in sets that were made.
#[derive(Serialize)]
struct Sets {
    training: u64,
    validation: u64,
    doubles: u64,
}

/// Reads, makes sets if there is a place for them, and prints.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    if !(0.0..100.0).contains(&arguments.validation) {
        let message = "--validation takes a share from 0 to less than 100 percent\n";
        return Err(clap::Error::raw(ErrorKind::ValueValidation, message).into());
    }
    arguments.game.variant.visit(Maker(arguments))
}

struct Maker<'a>(&'a Arguments);

impl VariantVisitor for Maker<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let files = dataset::files(&self.0.from).map_err(data_failed)?;
        let (statistics, sets) = match &self.0.out {
            Some(_) => self.make::<R>(&files)?,
            None => (self.count::<R>(&files)?, None),
        };
        let report = Report { variant: R::VARIANT.name(), statistics, sets };
        let mut output = io::stdout().lock();
        match self.0.json {
            true => writeln!(output, "{}", serde_json::to_string(&report)?)?,
            false => write!(output, "{}", text(&report))?,
        }
        Ok(())
    }
}

impl Maker<'_> {
    fn count<R: Rules>(&self, files: &[PathBuf]) -> Result<Statistics, Error> {
        let mut statistics = Statistics::default();
        let add = |_, game: &[Sample<_>]| {
            statistics.add::<R>(game);
            Ok(())
        };
        dataset::each_game::<R>(files, add).map_err(data_failed)?;
        Ok(statistics)
    }

    fn make<R: Rules>(&self, files: &[PathBuf]) -> Result<(Statistics, Option<Sets>), Error> {
        let Arguments { out, validation, seed, threads, .. } = self.0;
        let folder = out.as_deref().unwrap_or(std::path::Path::new("."));
        let settings = Settings { seed: *seed, validation: validation / 100.0 };
        let (interrupt, pool) = (on_ctrl_c()?, threads.pool()?);
        let counter = Counter { positions: AtomicU64::new(0), interrupt };
        let make = || pool.install(|| dataset::make::<R>(files, folder, settings, &counter));
        let made = counter.show(dataset::positions::<R>(files).map_err(data_failed)?, make);
        let Made { statistics, training, validation } = made.map_err(data_failed)?;
        let doubles = statistics.positions - training - validation;
        Ok((statistics, Some(Sets { training, validation, doubles })))
    }
}

/// For people.
fn text(report: &Report) -> String {
    let Report { statistics, sets, .. } = report;
    let Statistics { games, white, draws, black, positions, threatened, decisive, .. } = statistics;
    let percent = |part: &u64| format!("{:.1}", 100.0 * *part as f64 / (*positions).max(1) as f64);
    let mut text = format!(
        "games={games} white={white} draws={draws} black={black} positions={positions}\n\
         threatened by a capture {} %, proven won or lost {} %, others {:.2} men from even\n",
        percent(threatened),
        percent(decisive),
        statistics.mean_score,
    );
    let rows = statistics.pieces.iter().rev();
    let rows =
        rows.map(|(pieces, count)| vec![pieces.to_string(), count.to_string(), percent(count)]);
    text += &table::numbers(&["pieces", "positions", "%"], rows);
    if let Some(Sets { training, validation, doubles }) = sets {
        text += &format!("training={training} validation={validation} doubles={doubles}\n");
    }
    text
}

/// A file that cannot be used.
pub fn data_failed(error: DataError) -> Error {
    let kind = match &error.problem {
        Problem::Io(error) => error.kind(),
        Problem::Stopped => return Error::No("interrupted".to_owned()),
        Problem::OtherSettings
        | Problem::OtherData
        | Problem::OtherVariant(_)
        | Problem::Empty
        | Problem::NotEmpty => return Error::Input(error.to_string()),
        _ => io::ErrorKind::InvalidData,
    };
    Error::System(io::Error::new(kind, error.to_string()))
}

/// Counts positions.
struct Counter {
    positions: AtomicU64,
    interrupt: Interrupt,
}

impl Watch for Counter {
    fn advance(&self, positions: u64) {
        self.positions.fetch_add(positions, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}

impl Counter {
    /// Works, while this thread shows how far it is.
    fn show<T: Send>(&self, positions: u64, work: impl FnOnce() -> T + Send) -> T {
        let look = |bar: &Bar| bar.set(self.positions.load(Ordering::Relaxed), String::new());
        Bar::new(positions, 0, "positions").during(work, look)
    }
}
