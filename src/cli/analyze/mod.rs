//! `manoury analyze`: the best lines of positions.

mod analysis;
mod live;
mod text;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::Args;
use crossbeam_channel::Receiver;

use crate::bitbase::MOST_PIECES;
use crate::door::Position;
use crate::engine::{Engine, Knowledge, Options};
use crate::search::{Control, Limits, Mode};

use super::Error;
use super::answers::AnswerForm;
use super::notice::tell_faults;
use super::positions::Positions;
use super::tt_size::TtSize;
use super::weights::WeightsArgument;
use analysis::{Analysis, AnalysisLine};
use live::LiveTable;

/// Search a position for its best lines
///
/// The search ends at the first of the limits --depth, --time and --nodes, after one second without
/// limits, or when a deeper search cannot find anything better. Ctrl-C ends it early and shows the
/// lines found until then. On a terminal the lines are also shown while they deepen.
///
/// For each line: its rank, depth in plies, score, nodes, seconds, nodes per second, and the moves
/// in Hub notation (32-28; 28x19x23 is a capture from 28 to 19 over 23). Scores are in men, for the
/// side to move; 99.93 is a win in 7 plies, -99.94 a loss in 6. If the end of the game is forced in
/// a line, a column `end` says how: `win in 4`. When a search is stopped, lines that the last depth
/// did not reach keep their older depth. With `-`, prints one line per position, or --multipv
/// lines, without that column; each position is searched independently of the others.
///
/// JSON, one object per position: variant, fen, result and lines. `result` is null, or for a
/// finished game an object with winner ("white" or "black") and reason. `lines` is a list, the best
/// first, of objects with rank, depth, mean_depth (of the leaves), score, win_in and loss_in (plies
/// to the forced end of the game, or null), nodes, time, nps, and pv, a list of moves.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    positions: Positions,
    /// Number of lines, each with a different first move; fewer if the position has fewer moves
    #[arg(
        long,
        value_name = "K",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=128)
    )]
    multipv: u32,
    /// Number of search threads [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    table: TtSize,
    /// Most pieces of positions that are looked up in bitbases; 0 for no bitbases
    #[arg(
        long,
        value_name = "N",
        default_value_t = MOST_PIECES as u32,
        value_parser = clap::value_parser!(u32).range(0..=MOST_PIECES as i64)
    )]
    bb_size: u32,
    /// The bitbase folder [default: see `manoury bitbase --help`]
    #[arg(long = "bitbases", alias = "bb-dir", value_name = "DIR")]
    bb_dir: Option<PathBuf>,
    #[command(flatten)]
    weights: WeightsArgument,
    /// Print one JSON object per position, as described above
    #[arg(long)]
    json: bool,
    #[command(flatten, next_help_heading = "Limits per position")]
    limits: LimitArguments,
}

#[derive(Args, Debug)]
struct LimitArguments {
    /// Plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
}

/// The time per position if there is no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// The longest time per position in seconds: a year.
const LONGEST: f64 = 366.0 * 24.0 * 3600.0;

/// Analyzes and prints.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { positions, weights, limits, json, .. } = arguments;
    let interrupt = AnalysisInterrupt::catch()?;
    let (variant, options) = (positions.variant(), arguments.options());
    let knowledge = Knowledge::new(variant, &options, weights.open(variant)?, None);
    let mut engine = Engine::with(variant, knowledge, options);
    tell_faults(&mut engine);
    let form = positions.answer_form(*json);
    let is_terminal = io::stdout().is_terminal();
    if form == AnswerForm::Rows && is_terminal {
        writeln!(io::stdout(), "{}", text::header())?;
    }
    positions.each_until(&interrupt.signal, |position| {
        let live = LiveTable::new(form == AnswerForm::Page && is_terminal);
        let analysis = analyze(&mut engine, position, limits.limits(), &interrupt.control, &live);
        live.finish();
        form.print(&analysis)
    })
}

/// Ctrl-C.
struct AnalysisInterrupt {
    /// Ends the search.
    control: Control,
    /// Ends the wait for the next position.
    signal: Receiver<()>,
}

impl AnalysisInterrupt {
    fn catch() -> Result<AnalysisInterrupt, Error> {
        let control = Control::new();
        let (sender, signal) = crossbeam_channel::bounded(1);
        let handle = control.clone();
        ctrlc::set_handler(move || {
            handle.stop();
            // A full channel means that the signal has already been sent.
            let _ = sender.try_send(());
        })
        .map_err(io::Error::other)?;
        Ok(AnalysisInterrupt { control, signal })
    }
}

fn analyze(
    engine: &mut Engine,
    position: &Position,
    limits: Limits,
    control: &Control,
    live: &LiveTable,
) -> Analysis {
    if let Some(outcome) = position.outcome() {
        return Analysis::of_finished(position, outcome);
    }
    // Otherwise the answer would depend on earlier positions.
    engine.new_game();
    engine.set_position(*position);
    let mut lines = BTreeMap::new();
    engine.go(limits, control, &mut |info| {
        lines.insert(info.rank, AnalysisLine::new(info));
        live.show(lines.values());
    });
    Analysis::new(position, lines.into_values().collect())
}

impl Arguments {
    fn options(&self) -> Options {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        Options {
            threads: self.threads.map_or_else(cores, usize::from),
            tt_size: self.table.tt_size,
            multipv: self.multipv,
            bb_size: self.bb_size as usize,
            bb_dir: self.bb_dir.clone(),
            ..Options::default()
        }
    }
}

impl LimitArguments {
    fn limits(&self) -> Limits {
        let LimitArguments { depth, time, nodes } = *self;
        let limits =
            Limits { depth, nodes, move_time: time, mode: Mode::Analyze, ..Limits::default() };
        match limits.is_infinite() {
            true => Limits { move_time: Some(DEFAULT_TIME), ..limits },
            false => limits,
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| format!("not a number from 0 to {LONGEST}"))
}
