//! `manoury data`: makes data sets from games, and searches positions from games again.

use std::fmt;
use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::engine::Resources;
use crate::learn::correlation::{Correlation, GROUP, ResultCorrelations};
use crate::learn::data::{DataError, DataProblem, RelabelShares, Relabelling};
use crate::learn::dataset::{self, DatasetSettings, DatasetSummary, GameStatistics};
use crate::learn::relabel;
use crate::rules::Variant;
use crate::runtime::interrupt::Interrupt;
use crate::runtime::progress::ProgressCounter;

use super::Error;
use super::args::{JsonArgument, SeedArgument, ThreadsArgument, VariantArgument, WeightsArgument};
use super::error::number;
use super::output::{number_table, write_json};
use super::output_file;
use super::progress::ProgressBar;

/// Show statistics of self-play games, and make data sets from them
///
/// With --out the positions of all games are written to data sets: without duplicates (only the
/// last of equal positions is kept), in random order, with the positions of some games set aside
/// for validation. Positions that are equal after a half turn of the board and a swap of
/// colours are duplicates.
///
/// With --lambda-percent, each score is averaged with the later scores and the result of its game.
/// The search result has a weight of 100 minus PERCENT, the one a ply later that weight times
/// PERCENT / 100, and so on. 90 made the networks of most games stronger; leave --result-share of
/// `manoury train` at 0 then.
///
/// JSON: one object with variant, games, white, draws, black (games by result), positions,
/// threatened (by a capture), decisive (proven won or lost), pieces (positions by number of
/// pieces), mean_score (in men), correlation (of the scores with the results: all, and groups by
/// pieces and kings), and with --out training, validation, and the positions left out: doubles and
/// late (by --late-percent).
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_long_help = EXAMPLES
)]
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
    game: VariantArgument,
    /// Percentage of the games set aside for validation
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0)]
    validation: f64,
    /// Percentage to keep of the positions with at most a third of the initial number of pieces
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = number::<u8>(0..=100))]
    late_percent: u8,
    /// Weight of the rest of the game in each score, per ply: the λ of λ-returns; 0 keeps the scores
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = number::<u8>(0..=100))]
    lambda_percent: u8,
    #[command(flatten)]
    seed: SeedArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    json: JsonArgument,
}

/// The examples at the end of the help.
const EXAMPLES: &str = "Examples:
  manoury data games
  manoury data games --out sets
  manoury data games --out ahead --lambda-percent 90";

#[derive(Subcommand, Debug)]
enum DataCommand {
    Relabel(RelabelArguments),
}

/// The output of the command.
#[derive(Serialize)]
struct DataReport {
    variant: &'static str,
    #[serde(flatten)]
    statistics: GameStatistics,
    correlation: CorrelationReport,
    #[serde(flatten)]
    sets: Option<SetCounts>,
}

/// The number of positions in each new data set, and of those left out: duplicates and late
/// positions.
#[derive(Serialize)]
struct SetCounts {
    training: u64,
    validation: u64,
    doubles: u64,
    late: u64,
}

/// The correlation of scores or evaluations with the results of games.
#[derive(Serialize)]
pub struct CorrelationReport {
    all: Option<f64>,
    groups: Vec<CorrelationGroup>,
}

/// The correlation over positions of similar material.
#[derive(Serialize)]
struct CorrelationGroup {
    /// The smallest and largest number of pieces.
    pieces: [usize; 2],
    kings: bool,
    positions: u64,
    correlation: Option<f64>,
}

impl CorrelationReport {
    /// The report on correlations, from many pieces to few.
    pub fn of(correlations: &ResultCorrelations) -> Self {
        let group = |(&most, parts): (&usize, &[Correlation; 2])| {
            [false, true].map(|kings| CorrelationGroup {
                pieces: [most + 1 - GROUP, most],
                kings,
                positions: parts[usize::from(kings)].count(),
                correlation: parts[usize::from(kings)].coefficient(),
            })
        };
        let groups = correlations.groups.iter().rev().flat_map(group);
        CorrelationReport { all: correlations.all.coefficient(), groups: groups.collect() }
    }
}

impl fmt::Display for CorrelationReport {
    /// One line for all positions, and a table by material.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |coefficient: Option<f64>| {
            coefficient.map_or("-".to_owned(), |coefficient| format!("{coefficient:.3}"))
        };
        writeln!(f, "correlation with the results {}", number(self.all))?;
        let rows = self.groups.chunks(2).map(|group| {
            let parts = group
                .iter()
                .flat_map(|part| [part.positions.to_string(), number(part.correlation)]);
            let [least, most] = group[0].pieces;
            iter::once(format!("{least}-{most}")).chain(parts).collect()
        });
        f.write_str(&number_table(&["pieces", "no kings", "", "kings", ""], rows))
    }
}

/// Reads the games, makes data sets if an output folder is given, and prints a report.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    if let Some(DataCommand::Relabel(arguments)) = &arguments.command {
        return run_relabel(arguments);
    }
    if !(0.0..100.0).contains(&arguments.validation) {
        return Err(Error::usage("--validation must be at least 0 and less than 100 percent"));
    }
    let variant = arguments.game.variant;
    let files = dataset::files(&arguments.from).map_err(data_failed)?;
    let (statistics, sets) = match &arguments.out {
        Some(folder) => make(arguments, &files, folder)?,
        None => (count(variant, &files)?, None),
    };
    let correlation = CorrelationReport::of(&statistics.correlations);
    let report = DataReport { variant: variant.name(), statistics, correlation, sets };
    let mut output = io::stdout().lock();
    if arguments.json.is_on() {
        return write_json(&mut output, &report);
    }
    Ok(output.write_all(text(&report).as_bytes())?)
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
    let Arguments { validation, late_percent, lambda_percent, seed, threads, .. } = arguments;
    let variant = arguments.game.variant;
    let settings = DatasetSettings {
        seed: seed.seed,
        validation: validation / 100.0,
        late_percent: *late_percent,
        lambda_percent: *lambda_percent,
    };
    let (interrupt, pool) = (Interrupt::on_ctrl_c()?, threads.pool()?);
    let positions = dataset::positions(variant, files).map_err(data_failed)?;
    let counter = ProgressCounter::new(positions, 0, interrupt);
    let made = ProgressBar::of(counter, 1, "positions")
        .during(
            |progress| pool.install(|| dataset::make(variant, files, folder, settings, progress)),
            |_| String::new(),
        )
        .map_err(data_failed)?;
    let DatasetSummary { statistics, training, validation, late } = made;
    let doubles = statistics.positions - training - validation - late;
    Ok((statistics, Some(SetCounts { training, validation, doubles, late })))
}

/// The report as text.
fn text(report: &DataReport) -> String {
    let DataReport { statistics, sets, .. } = report;
    let GameStatistics { games, white, draws, black, positions, threatened, decisive, .. } =
        statistics;
    let percent = |part: &u64| format!("{:.1}", 100.0 * *part as f64 / (*positions).max(1) as f64);
    let mut text = format!(
        "games={games} white={white} draws={draws} black={black} positions={positions}\n\
         threatened by a capture {} %, proven won or lost {} %, \
         mean absolute score of the others {:.2} men\n",
        percent(threatened),
        percent(decisive),
        statistics.mean_score,
    );
    let rows = statistics.pieces.iter().rev();
    let rows =
        rows.map(|(pieces, count)| vec![pieces.to_string(), count.to_string(), percent(count)]);
    text += &number_table(&["pieces", "positions", "%"], rows);
    text += &report.correlation.to_string();
    if let Some(SetCounts { training, validation, doubles, late }) = sets {
        text +=
            &format!("training={training} validation={validation} doubles={doubles} late={late}\n");
    }
    text
}

/// The error for a file or folder that cannot be used.
pub fn data_failed(error: DataError) -> Error {
    let kind = match &error.problem {
        DataProblem::Io(error) => error.kind(),
        DataProblem::Stopped => return Error::interrupted(false),
        DataProblem::OtherSettings
        | DataProblem::OtherData
        | DataProblem::OtherVariant(_)
        | DataProblem::NoGames
        | DataProblem::NoDataSets
        | DataProblem::NotEmpty => return Error::Input(error.to_string()),
        _ => io::ErrorKind::InvalidData,
    };
    Error::System(io::Error::new(kind, error.to_string()))
}

/// Search positions from games again, with more nodes
///
/// The selected positions are written to another folder, from which `manoury data` can make data
/// sets, just as from games. The selection and the scores depend only on the games and the options.
/// Ctrl-C stops the work once the games being searched are finished; the same command resumes it.
///
/// With --bitbases the scores of endings are exact; `manoury train` skips positions that are proven
/// won or lost.
///
/// The last line is `positions=N time=S`: positions searched by this run, seconds.
#[derive(Args, Debug)]
#[command(after_long_help = RELABEL_EXAMPLES)]
pub struct RelabelArguments {
    /// Folders of games
    #[arg(value_name = "DIR", required = true)]
    from: Vec<PathBuf>,
    /// Folder for the new files
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Nodes per search; no new iteration starts after this many
    #[arg(long, value_name = "K", value_parser = number::<u64>(1..))]
    nodes: u64,
    #[command(flatten)]
    game: VariantArgument,
    /// Percentage to search of the positions with kings
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = number::<u8>(0..=100))]
    kings: u8,
    /// Percentage to search of the positions with at most 16 men and no kings
    #[arg(
        long,
        alias = "few",
        value_name = "PERCENT",
        default_value_t = 100,
        value_parser = number::<u8>(0..=100)
    )]
    few_men: u8,
    /// Percentage to search of the positions with more than 16 men and no kings
    #[arg(
        long,
        alias = "many",
        value_name = "PERCENT",
        default_value_t = 100,
        value_parser = number::<u8>(0..=100)
    )]
    many_men: u8,
    /// Folder of bitbases, with a subfolder for each variant [default: only the built-in bitbases]
    #[arg(long, value_name = "DIR")]
    bitbases: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    weights: WeightsArgument,
}

/// The examples at the end of the help.
const RELABEL_EXAMPLES: &str = "Examples:
  manoury data relabel games --out deeper --nodes 200 --kings 30 --few-men 30 --many-men 15";

/// Searches the positions that have not been searched yet, and prints their number.
pub fn run_relabel(arguments: &RelabelArguments) -> Result<(), Error> {
    let RelabelArguments { from, out, nodes, kings, few_men, many_men, bitbases, threads, .. } =
        arguments;
    if from.iter().any(|folder| output_file::is_same(out, folder)) {
        return Err(Error::Input(format!(
            "{} is also a folder of games to search; choose another folder for --out",
            out.display()
        )));
    }
    let variant = arguments.game.variant;
    let evaluation = arguments.weights.open(variant)?;
    let open = || Resources::with_bitbases(variant, bitbases.as_deref(), evaluation.clone());
    let settings = Relabelling {
        nodes: *nodes,
        weights: evaluation.checksum(),
        bitbase_pieces: open()?.bitbases.pieces() as u32,
        shares: RelabelShares { kings: *kings, few: *few_men, many: *many_men },
    };
    let resources = || open().map_err(io::Error::other);
    let files = dataset::files(from).map_err(data_failed)?;
    let positions = dataset::positions(variant, &files).map_err(data_failed)?;
    let (start, pool) = (Instant::now(), threads.pool()?);
    let interrupt = Interrupt::on_ctrl_c()?;
    let counter = ProgressCounter::new(positions, 0, interrupt.clone());
    let searched = ProgressBar::of(counter, 1, "positions")
        .during(
            |counter| {
                relabel::run(variant, &files, out, &settings, &resources, &pool, counter)
                    .map(|()| counter.detail())
            },
            |counter| format!("{:.0} searched/s", counter.detail_rate()),
        )
        .map_err(data_failed)?;
    let time = start.elapsed().as_secs_f64();
    writeln!(io::stdout().lock(), "positions={searched} time={time:.1}")?;
    match interrupt.is_set() {
        true => Err(Error::interrupted(true)),
        false => Ok(()),
    }
}
