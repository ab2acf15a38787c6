//! Compares the speed of engines.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::arena::client::EngineFault;
use crate::arena::spec::{EngineSpec, Participant, Protocol};
use crate::arena::speed::ratio::Ratio;
use crate::arena::speed::{self, EngineSpeed, SpeedPlan};
use crate::arena::time_control::TimeSettings;
use crate::board::Move;
use crate::cli::Error;
use crate::cli::args::matches::EngineListArgument;
use crate::cli::output::{number_table, write_json};
use crate::cli::progress::ProgressBar;
use crate::engine::bench;
use crate::erased::Position;
use crate::notation::{fen, pdn};
use crate::rules::Variant;
use crate::runtime::interrupt::Interrupt;
use crate::storage;

use super::{BenchArguments, mean, ratio_cells};

/// The options for engines.
#[derive(Args, Debug)]
#[command(next_help_heading = "Other engines")]
pub struct EnginesArguments {
    /// Engine to measure: a name or a command line, with settings; may be repeated
    #[arg(long = "engine", value_name = "SPEC", conflicts_with_all = ["threads", "tt_size", "weights", "svg"])]
    engines: Vec<String>,
    #[command(flatten)]
    engine_list: EngineListArgument,
    /// Seconds for each position, instead of a depth
    #[arg(short, long, value_name = "S", requires = "engines", conflicts_with_all = ["depth", "nodes"])]
    time: Option<f64>,
    /// Nodes for each position, instead of a depth
    #[arg(short, long, value_name = "N", requires = "engines", conflicts_with = "depth")]
    nodes: Option<u64>,
    /// File of positions to search instead of the built-in ones: one FEN per line, or FEN;bm
    /// followed by the best moves, to count the positions solved
    #[arg(long, value_name = "FILE", requires = "engines")]
    positions: Option<PathBuf>,
}

/// The depth for other engines if no limit is given.
const DEPTH: u32 = 14;

/// The timeout for a search without a time limit.
const PATIENCE: Duration = Duration::from_secs(3600);

impl EnginesArguments {
    /// Whether there are engines to measure.
    pub fn are_given(&self) -> bool {
        !self.engines.is_empty()
    }
}

/// Measures the engines and prints the table.
///
/// # Errors
///
/// The arguments are inconsistent, a file cannot be used, or an engine fails.
pub fn run(arguments: &BenchArguments) -> Result<(), Error> {
    let interrupt = Interrupt::on_ctrl_c()?;
    let (plan, best) = plan(arguments)?;
    let searches = plan.engines.len() * plan.positions.len() * plan.rounds;
    let bar = ProgressBar::new(searches as u64, 0, "searches");
    let mut done = 0;
    let measured = speed::measure(&plan, &interrupt, &mut || {
        done += 1;
        bar.set(done, String::new());
    });
    bar.finish();
    let measured = measured.map_err(|(engine, fault)| match fault {
        EngineFault::Interrupted => Error::interrupted(false),
        fault => Error::Input(format!("the engine {}: {fault}", plan.engines[engine].name)),
    })?;
    let first = measured[0].times();
    let engines = plan.engines.iter().zip(&measured);
    let rows: Vec<_> =
        engines.map(|(engine, speed)| Row::new(&engine.name, speed, &first, &best)).collect();
    let mut output = io::stdout().lock();
    if arguments.json.is_on() {
        return rows.iter().try_for_each(|row| write_json(&mut output, row));
    }
    let mut header = vec![
        "engine", "ready", "seconds", "nodes", "nodes/s", "depth", "first", "speed", "95 %", "MiB",
    ];
    header.extend(rows[0].solved.as_ref().map(|_| "solved"));
    Ok(write!(output, "{}", number_table(&header, rows.iter().map(Row::cells)))?)
}

/// The plan of the measurement, and the best moves of each position (empty if unknown).
fn plan(arguments: &BenchArguments) -> Result<(SpeedPlan, Vec<Vec<Move>>), Error> {
    let BenchArguments { game, depth, engines, rounds, .. } = arguments;
    let list = engines.engine_list.list()?;
    let specs = engines.engines.iter().map(|text| list.expanded(text).parse::<EngineSpec>());
    let specs = specs.collect::<Result<Vec<_>, _>>().map_err(Error::usage)?;
    if specs.iter().any(|spec| spec.protocol == Protocol::Dxp) {
        return Err(Error::usage(
            "cannot measure a DXP engine: DXP limits the time of a game, not of a search",
        ));
    }
    let has_limit = engines.time.is_some() || engines.nodes.is_some();
    let limits = TimeSettings {
        depth: depth.or((!has_limit).then_some(DEPTH)),
        nodes: engines.nodes,
        move_time: engines.time,
        ..TimeSettings::default()
    };
    let (positions, best) = match &engines.positions {
        Some(path) => positions(game.variant, path)?.into_iter().unzip(),
        None => bench::positions(game.variant).map(|position| (position, Vec::new())).unzip(),
    };
    let plan = SpeedPlan {
        variant: game.variant,
        engines: Participant::all(specs, limits).map_err(Error::usage)?,
        positions,
        rounds: (*rounds).into(),
        patience: PATIENCE,
    };
    Ok((plan, best))
}

/// A position and its best moves (empty if unknown).
type TestPosition = (Position, Vec<Move>);

/// Reads positions from a file: one FEN per line, optionally followed by `;bm` and the best moves.
/// Lines that start with `#` are comments.
fn positions(variant: Variant, path: &Path) -> Result<Vec<TestPosition>, Error> {
    let text = fs::read_to_string(path).map_err(storage::with_path(path))?;
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let at = |line: usize, what: String| Error::Input(format!("{}:{line}: {what}", path.display()));
    let position = |(line, text): (usize, &str)| {
        let (text, best) = text.split_once(';').unwrap_or((text, "bm"));
        let position = fen::parse(variant, text).map_err(|error| at(line, error.to_string()))?;
        if position.legal_moves().is_empty() {
            return Err(at(line, "the game is over in this position".to_owned()));
        }
        let best = best.trim().strip_prefix("bm").map(|moves| moves.trim_end_matches(';'));
        let best =
            best.ok_or_else(|| at(line, "expected bm and the best moves after ;".to_owned()))?;
        let best = best.split_whitespace().map(|text| {
            let mv = pdn::parse_move(&position, text);
            mv.map_err(|error| at(line, format!("{text}: {error}")))
        });
        Ok((position, best.collect::<Result<_, _>>()?))
    };
    let positions = lines.map(position).collect::<Result<Vec<_>, _>>()?;
    match positions.is_empty() {
        true => Err(Error::Input(format!("{}: contains no positions", path.display()))),
        false => Ok(positions),
    }
}

/// The measurements of an engine, as printed.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    identity: &'a str,
    ready: f64,
    times: Vec<f64>,
    nodes: Option<Vec<f64>>,
    nps: Option<f64>,
    depth: Option<f64>,
    first: Option<f64>,
    speed: Option<Ratio>,
    memory: Option<u64>,
    /// The number of positions solved in each round, and the number with known best moves; `None`
    /// if the latter is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    solved: Option<(Vec<usize>, usize)>,
}

impl<'a> Row<'a> {
    /// Creates a row. `first` holds the times of the first engine, `best` the best moves of each
    /// position.
    fn new(name: &'a str, speed: &'a EngineSpeed, first: &[f64], best: &[Vec<Move>]) -> Row<'a> {
        let known = best.iter().filter(|moves| !moves.is_empty()).count();
        let (times, nodes) = (speed.times(), speed.nodes());
        let total: f64 = times.iter().sum();
        let nps = nodes.as_ref().map(|nodes| nodes.iter().sum::<f64>() / total);
        Row {
            name,
            identity: &speed.identity,
            ready: speed.ready.as_secs_f64(),
            nps: nps.filter(|nps| nps.is_finite()),
            depth: speed.depth(),
            first: speed.first_search(),
            speed: Ratio::of(first, &times),
            memory: speed.memory,
            solved: (known > 0).then(|| (speed.solved(best), known)),
            times,
            nodes,
        }
    }

    fn cells(&self) -> Vec<String> {
        let shown = |value: Option<f64>, decimals: usize| {
            value.map_or("-".to_owned(), |value| format!("{value:.decimals$}"))
        };
        let [speed, interval] = ratio_cells(self.speed);
        let mut cells = vec![
            self.name.to_owned(),
            format!("{:.3}", self.ready),
            format!("{:.3}", mean(&self.times)),
            shown(self.nodes.as_deref().map(mean), 0),
            shown(self.nps, 0),
            shown(self.depth, 1),
            shown(self.first, 2),
            speed,
            interval,
            shown(self.memory.map(|bytes| bytes as f64 / f64::from(1 << 20)), 0),
        ];
        cells.extend(self.solved.as_ref().map(|(rounds, known)| {
            let mean = rounds.iter().sum::<usize>() as f64 / rounds.len() as f64;
            format!("{mean:.1} of {known}")
        }));
        cells
    }
}
