//! Compares the speed of engines.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::arena::client::EngineFault;
use crate::arena::spec::{EngineSpec, Participant, Protocol};
use crate::arena::speed::ratio::Ratio;
use crate::arena::speed::{self, EngineSpeed, SpeedPlan};
use crate::arena::time_control::{Periods, TimeSettings};
use crate::board::Move;
use crate::cli::args::games;
use crate::cli::args::matches::EngineListArgument;
use crate::cli::output::{number_table, write_json};
use crate::cli::progress::ProgressBar;
use crate::cli::{self, Error};
use crate::engine::bench;
use crate::erased::Position;
use crate::notation::fen;
use crate::notation::pdn::{self, GameText};
use crate::rules::Variant;
use crate::runtime::interrupt::Interrupt;

use super::{BenchArguments, mean, ratio_cells};

/// The options for engines.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engines and test positions")]
pub struct EnginesArguments {
    /// Engine to measure: a name or a command line, with settings; may be repeated
    #[arg(long = "engine", value_name = "SPEC", conflicts_with_all = ["threads", "tt_size", "weights", "svg"])]
    engines: Vec<String>,
    #[command(flatten)]
    engine_list: EngineListArgument,
    /// Seconds for each position, instead of a depth; needs --engine or --solve [default with
    /// --solve: 10]
    #[arg(short, long, value_name = "S", conflicts_with_all = ["depth", "nodes"])]
    time: Option<f64>,
    /// Nodes for each position, instead of a depth; needs --engine or --solve
    #[arg(short, long, value_name = "N", conflicts_with = "depth")]
    nodes: Option<u64>,
    /// File of positions to search instead of the built-in ones: one FEN per line, or FEN;bm
    /// followed by the best moves, to count the positions solved; or PDN, of which each game's
    /// first position and first move count; needs --engine
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Show how many test positions are solved, and how fast: those of a file as for --positions, or
    /// the built-in ones with `suite`; without --engine, by this program
    #[arg(long, value_name = "FILE", conflicts_with_all = ["positions", "weights", "svg"])]
    solve: Option<PathBuf>,
}

/// The name of the built-in test positions.
const SUITE: &str = "suite";

/// Test positions of international draughts, made by `scripts/suite.py`.
const SUITE_TEXT: &str = include_str!("suite.txt");

/// The time for each test position if no limit is given, in seconds.
const SOLVE_TIME: f64 = 10.0;

/// The times, in seconds, within which solved positions are counted.
const SOLVE_STEPS: [f64; 4] = [0.01, 0.1, 1.0, 10.0];

/// The depth for other engines if no limit is given.
const DEPTH: u32 = 14;

/// The timeout for a search without a time limit.
const PATIENCE: Duration = Duration::from_secs(3600);

impl EnginesArguments {
    /// Whether test positions are to be solved.
    pub fn is_solving(&self) -> bool {
        self.solve.is_some()
    }

    /// Whether there are engines to measure.
    ///
    /// # Errors
    ///
    /// There are none, but there are options for them.
    pub fn are_given(&self) -> Result<bool, Error> {
        if !self.engines.is_empty() || self.solve.is_some() {
            return Ok(true);
        }
        match self.time.is_some() || self.nodes.is_some() || self.positions.is_some() {
            true => Err(Error::usage("--time, --nodes and --positions need --engine or --solve")),
            false => Ok(false),
        }
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
    let engines = plan.engines.iter().zip(&measured);
    let rows: Vec<_> = engines
        .map(|(engine, speed)| {
            let ratio = speed_ratio(speed, &measured[0], has_time_limit(&plan));
            Row::new(&engine.name, speed, ratio, &best)
        })
        .collect();
    let mut output = io::stdout().lock();
    if arguments.json.is_on() {
        return rows.iter().try_for_each(|row| write_json(&mut output, row));
    }
    let solve_steps = solve_steps(&rows);
    let mut header = [
        "engine", "ready", "seconds", "nodes", "nodes/s", "depth", "first", "speed", "95 %", "MiB",
    ]
    .map(str::to_owned)
    .to_vec();
    header.extend(rows[0].solved.as_ref().map(|_| "solved".to_owned()));
    header.extend(solve_steps.iter().map(|step| format!("in {step} s")));
    let header: Vec<_> = header.iter().map(String::as_str).collect();
    let cells = rows.iter().map(|row| row.cells(&solve_steps));
    Ok(write!(output, "{}", number_table(&header, cells))?)
}

/// Whether the time of a search is given, so that it says nothing about the speed of an engine.
fn has_time_limit(plan: &SpeedPlan) -> bool {
    let mut limits = plan.engines.iter().map(|engine| engine.time_control);
    limits.any(|limits| limits.move_time.is_some() || limits.game.is_some())
}

/// How much faster an engine is than the first: the ratio of their times or, if these are given, of
/// their nodes per second.
fn speed_ratio(own: &EngineSpeed, first: &EngineSpeed, has_time_limit: bool) -> Option<Ratio> {
    match has_time_limit {
        true => Ratio::of(&own.rates()?, &first.rates()?),
        false => Ratio::of(&first.times(), &own.times()),
    }
}

/// The times, in seconds, for which the number of solved positions is shown: those shorter than the
/// longest time that a solution took.
fn solve_steps(rows: &[Row<'_>]) -> Vec<f64> {
    let times = rows.iter().flat_map(|row| row.solve_times.iter().flatten()).flatten();
    let longest = times.copied().fold(0.0, f64::max);
    SOLVE_STEPS.into_iter().filter(|&step| step < longest).collect()
}

/// The plan of the measurement, and the best moves of each position (empty if unknown).
fn plan(arguments: &BenchArguments) -> Result<(SpeedPlan, Vec<Vec<Move>>), Error> {
    let BenchArguments { game, depth, engines, .. } = arguments;
    let list = engines.engine_list.list()?;
    let specs = engines.engines.iter().map(|text| list.expanded(text).parse::<EngineSpec>());
    let mut specs = specs.collect::<Result<Vec<_>, _>>().map_err(Error::usage)?;
    if specs.is_empty() {
        specs.push(this_program(arguments)?);
    }
    let is_solving = engines.is_solving();
    if !is_solving && specs.iter().any(|spec| spec.protocol == Protocol::Dxp) {
        return Err(Error::usage(
            "a DXP engine can only be measured with --solve: DXP reports neither nodes nor depths",
        ));
    }
    let is_unlimited = depth.is_none() && engines.nodes.is_none() && engines.time.is_none();
    let limits = TimeSettings {
        depth: depth.or((is_unlimited && !is_solving).then_some(DEPTH)),
        nodes: engines.nodes,
        move_time: engines.time.or((is_unlimited && is_solving).then_some(SOLVE_TIME)),
        ..TimeSettings::default()
    };
    specs.iter_mut().for_each(|spec| limit_dxp(spec, limits.move_time));
    let (positions, best): (_, Vec<Vec<Move>>) =
        match engines.positions.as_ref().or(engines.solve.as_ref()) {
            Some(path) => positions(game.variant, path)?.into_iter().unzip(),
            None => bench::positions(game.variant).map(|position| (position, Vec::new())).unzip(),
        };
    if is_solving && best.iter().all(Vec::is_empty) {
        return Err(Error::Input(
            "no position has a best move: write ;bm and the move after its FEN".to_owned(),
        ));
    }
    let plan = SpeedPlan {
        variant: game.variant,
        engines: Participant::all(specs, limits).map_err(Error::usage)?,
        positions,
        rounds: arguments.rounds().into(),
        patience: PATIENCE,
    };
    Ok((plan, best))
}

/// Gives a DXP engine without limits of its own the time as that of a game of one move: DXP has no
/// limit for a single search.
fn limit_dxp(spec: &mut EngineSpec, move_time: Option<f64>) {
    if spec.protocol == Protocol::Dxp
        && spec.time == TimeSettings::default()
        && let Some(time) = move_time
    {
        let time = Some(Periods::from(time));
        spec.time = TimeSettings { time, moves: Some(1), ..TimeSettings::default() };
    }
}

/// This program as an engine without its book, with the given number of threads and table size.
fn this_program(arguments: &BenchArguments) -> Result<EngineSpec, Error> {
    let ([threads], [tt_size]) = (&arguments.threads[..], &arguments.tt_size[..]) else {
        return Err(Error::usage("--solve needs one value of --threads and of --tt-size"));
    };
    let (program, arguments) = cli::this_program()?;
    let program = program.to_string_lossy();
    let command = [&*program].into_iter().chain(arguments.iter().copied());
    let param = |name: &str, value: &dyn Display| (name.to_owned(), value.to_string());
    Ok(EngineSpec {
        command: command.chain(["hub"]).map(str::to_owned).collect(),
        name: Some("Manoury".to_owned()),
        params: vec![param("threads", threads), param("tt-size", tt_size), param("book", &false)],
        ..EngineSpec::default()
    })
}

/// A position and its best moves (empty if unknown).
type TestPosition = (Position, Vec<Move>);

/// Reads positions and their best moves from a file: of a PDN file, the position in which each game
/// begins and its first move; of any other, see [`lines`].
fn positions(variant: Variant, path: &Path) -> Result<Vec<TestPosition>, Error> {
    let text = match path.to_str() {
        Some(SUITE) if variant == Variant::International => SUITE_TEXT.to_owned(),
        Some(SUITE) => {
            let what = "the built-in test positions are of international draughts";
            return Err(Error::usage(format!("{what}, not {}", variant.name())));
        }
        _ => pdn::decode(&games::read(path)?),
    };
    let is_pdn = text.trim_start().starts_with('[');
    let read = if is_pdn { games } else { lines };
    let positions = read(variant, path, &text)?;
    match positions.is_empty() {
        true => Err(Error::Input(format!("{}: contains no positions", path.display()))),
        false => Ok(positions),
    }
}

/// The first position and the first move of each game in a PDN file.
fn games(variant: Variant, path: &Path, text: &str) -> Result<Vec<TestPosition>, Error> {
    let fault = |what: String| Error::Input(format!("{}: {what}", path.display()));
    let position = |text: GameText| {
        let record = pdn::read_game_leniently(variant, &text, &mut Vec::new());
        let record = record.map_err(|broken| fault(broken.to_string()))?;
        let line = text.place().line;
        let position = record.start;
        if position.variant() != variant {
            let what = format!("a game of {}, not {variant}: see --variant", position.variant());
            return Err(fault(format!("line {line}: {what}")));
        }
        check_moves(&position).map_err(|what| fault(format!("line {line}: {what}")))?;
        Ok((position, record.line.moves.first().map(|first| first.mv).into_iter().collect()))
    };
    pdn::games(text).map(position).collect()
}

/// Reads one FEN per line, optionally followed by `;bm` and the best moves. Lines that start with `#`
/// are comments.
fn lines(variant: Variant, path: &Path, text: &str) -> Result<Vec<TestPosition>, Error> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let at = |line: usize, what: String| Error::Input(format!("{}:{line}: {what}", path.display()));
    let position = |(line, text): (usize, &str)| {
        let (text, best) = text.split_once(';').unwrap_or((text, "bm"));
        let position = fen::parse(variant, text).map_err(|error| at(line, error.to_string()))?;
        check_moves(&position).map_err(|what| at(line, what.to_owned()))?;
        let best = best.trim().strip_prefix("bm").map(|moves| moves.trim_end_matches(';'));
        let best =
            best.ok_or_else(|| at(line, "expected bm and the best moves after ;".to_owned()))?;
        let best = best.split_whitespace().map(|text| {
            let mv = pdn::parse_move(&position, text);
            mv.map_err(|error| at(line, error.to_string()))
        });
        Ok((position, best.collect::<Result<_, _>>()?))
    };
    lines.map(position).collect()
}

/// Checks that an engine can move.
fn check_moves(position: &Position) -> Result<(), &'static str> {
    match position.legal_moves().is_empty() {
        true => Err("the game is over in this position"),
        false => Ok(()),
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
    /// See [`EngineSpeed::solve_times`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    solve_times: Vec<Vec<Option<f64>>>,
}

impl<'a> Row<'a> {
    /// Creates a row. `ratio` is the ratio of the speed to that of the first engine, `best` are the
    /// best moves of each position.
    fn new(
        name: &'a str,
        speed: &'a EngineSpeed,
        ratio: Option<Ratio>,
        best: &[Vec<Move>],
    ) -> Row<'a> {
        let known = best.iter().filter(|moves| !moves.is_empty()).count();
        let solve_times = if known > 0 { speed.solve_times(best) } else { Vec::new() };
        let solved = solve_times.iter().map(|round| round.iter().flatten().count()).collect();
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
            speed: ratio,
            memory: speed.memory,
            solved: (known > 0).then_some((solved, known)),
            solve_times,
            times,
            nodes,
        }
    }

    /// The cells of the row, ending with the numbers of positions solved within the given times.
    fn cells(&self, solve_steps: &[f64]) -> Vec<String> {
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
        cells.extend(solve_steps.iter().map(|step| {
            let times = self.solve_times.iter().flatten().flatten();
            let count = times.filter(|time| *time <= step).count();
            format!("{:.1}", count as f64 / self.solve_times.len() as f64)
        }));
        cells
    }
}
