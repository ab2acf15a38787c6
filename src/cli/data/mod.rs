//! `manoury data`: makes data sets of games.

mod relabel;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use clap::error::ErrorKind;
use clap::{Args, Subcommand};
use serde::Serialize;

use crate::learn::data::{DataError, DataProblem};
use crate::learn::dataset::{self, DatasetSettings, DatasetWatch, GameStatistics, MadeDataset};
use crate::rules::Variant;
use crate::runtime::interrupt::Interrupt;

use super::Error;
use super::game::GameArgument;
use super::progress::Bar;
use super::table;
use super::threads::Threads;

/// Show statistics of self-play games, and make data sets of them
///
/// With --out the positions of all games are written to files to learn from: without duplicates (of
/// equal positions the last one counts), in random order, those of some games apart for validation.
/// Positions that are the same after a half turn and a swap of colours are duplicates.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<DataCommand>,
    /// Folders of games, the newest last
    #[arg(value_name = "DIR", required = true)]
    from: Vec<PathBuf>,
    /// Folder for the data sets, empty or new
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    game: GameArgument,
    /// Share of the games for validation, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0)]
    validation: f64,
    /// Random seed of the order and of the choice of validation games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Print one JSON object: variant, games, white, draws, black (games by result), positions,
    /// threatened (by a capture), decisive (proven won or lost), pieces (positions by their number
    /// of pieces), mean_score (in men), and with --out training, validation, doubles
    #[arg(short, long)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum DataCommand {
    Relabel(relabel::Arguments),
}

/// The output of the command.
#[derive(Serialize)]
struct DataReport {
    variant: &'static str,
    #[serde(flatten)]
    statistics: GameStatistics,
    #[serde(flatten)]
    sets: Option<SetCounts>,
}

/// The numbers of positions in new data sets, and of duplicates.
#[derive(Serialize)]
struct SetCounts {
    training: u64,
    validation: u64,
    doubles: u64,
}

/// Reads the games, makes data sets if there is a folder for them, and prints a report.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    if let Some(DataCommand::Relabel(arguments)) = &arguments.command {
        return relabel::run(arguments);
    }
    if !(0.0..100.0).contains(&arguments.validation) {
        let message = "--validation takes a share from 0 to less than 100 percent\n";
        return Err(clap::Error::raw(ErrorKind::ValueValidation, message).into());
    }
    let variant = arguments.game.variant;
    let files = dataset::files(&arguments.from).map_err(data_failed)?;
    let (statistics, sets) = match &arguments.out {
        Some(folder) => make(arguments, &files, folder)?,
        None => (count(variant, &files)?, None),
    };
    let report = DataReport { variant: variant.name(), statistics, sets };
    let mut output = io::stdout().lock();
    match arguments.json {
        true => writeln!(output, "{}", serde_json::to_string(&report)?)?,
        false => write!(output, "{}", text(&report))?,
    }
    Ok(())
}

fn count(variant: Variant, files: &[PathBuf]) -> Result<GameStatistics, Error> {
    let mut statistics = GameStatistics::default();
    dataset::each_game(variant, files, |_, game| {
        statistics.add(variant, game);
        Ok(())
    })
    .map_err(data_failed)?;
    Ok(statistics)
}

fn make(
    arguments: &Arguments,
    files: &[PathBuf],
    folder: &Path,
) -> Result<(GameStatistics, Option<SetCounts>), Error> {
    let Arguments { validation, seed, threads, .. } = arguments;
    let variant = arguments.game.variant;
    let settings = DatasetSettings { seed: *seed, validation: validation / 100.0 };
    let (interrupt, pool) = (Interrupt::on_ctrl_c()?, threads.pool()?);
    let counter = PositionCounter { positions: AtomicU64::new(0), interrupt };
    let make = || pool.install(|| dataset::make(variant, files, folder, settings, &counter));
    let positions = dataset::positions(variant, files).map_err(data_failed)?;
    let made = counter.show(positions, make).map_err(data_failed)?;
    let MadeDataset { statistics, training, validation } = made;
    let doubles = statistics.positions - training - validation;
    Ok((statistics, Some(SetCounts { training, validation, doubles })))
}

/// The report as text.
fn text(report: &DataReport) -> String {
    let DataReport { statistics, sets, .. } = report;
    let GameStatistics { games, white, draws, black, positions, threatened, decisive, .. } =
        statistics;
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
    if let Some(SetCounts { training, validation, doubles }) = sets {
        text += &format!("training={training} validation={validation} doubles={doubles}\n");
    }
    text
}

/// The error of a file or folder that cannot be used.
pub fn data_failed(error: DataError) -> Error {
    let kind = match &error.problem {
        DataProblem::Io(error) => error.kind(),
        DataProblem::Stopped => return Error::No("interrupted".to_owned()),
        DataProblem::OtherSettings
        | DataProblem::OtherData
        | DataProblem::OtherVariant(_)
        | DataProblem::Empty
        | DataProblem::NotEmpty => return Error::Input(error.to_string()),
        _ => io::ErrorKind::InvalidData,
    };
    Error::System(io::Error::new(kind, error.to_string()))
}

/// Counts positions.
struct PositionCounter {
    positions: AtomicU64,
    interrupt: Interrupt,
}

impl DatasetWatch for PositionCounter {
    fn advance(&self, positions: u64) {
        self.positions.fetch_add(positions, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}

impl PositionCounter {
    /// Works on another thread while this one shows the progress.
    fn show<T: Send>(&self, positions: u64, work: impl FnOnce() -> T + Send) -> T {
        let look = |bar: &Bar| bar.set(self.positions.load(Ordering::Relaxed), String::new());
        Bar::new(positions, 0, "positions").during(work, look)
    }
}
