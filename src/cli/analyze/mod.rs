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
use crate::engine::{Engine, Knowledge, Options};
use crate::game::{self, Game};
use crate::position::Position;
use crate::rules::{Rules, VariantVisitor};
use crate::search::{Control, Limits, Mode};

use super::Error;
use super::positions::Positions;
use super::tt_size::TtSize;
use super::weights::WeightsArgument;
use analysis::{Analysis, Line};
use live::Live;

/// Search a position for its best lines
///
/// The search ends at the first of the limits --depth, --time and --nodes that it reaches, after one
/// second if none is given, or when a deeper search would find nothing better; Ctrl-C ends it before
/// and shows what is known by then.
///
/// For each line: its rank, depth in plies, score, nodes, seconds, nodes a second, and the line itself
/// in Hub notation (32-28; 28x19x23 for a capture from 28 to 19 over 23). Scores are in men, from the
/// side to move; 99.93 is a win in 7 plies, -99.94 a loss in 6. With `-`, one line a position, --multipv
/// lines with more of them; each position is searched as if it were the only one.
///
/// JSON, one object a position: variant, fen, result and lines. `result` is null, or for a finished
/// game an object with winner ("white" or "black") and reason. `lines` is a list, the best first, of
/// objects with rank, depth, mean_depth (of the leaves), score, win_in and loss_in (plies to the
/// forced end of the game, or null), nodes, time, nps, and pv, a list of moves.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    positions: Positions,
    /// How many lines, each with another first move; fewer if there are fewer moves
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=128))]
    multipv: u32,
    /// Threads to search with [default: one a core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    table: TtSize,
    /// The most pieces of positions that are looked up in bitbases; 0 for none
    #[arg(long, value_name = "N", default_value_t = MOST_PIECES as u32, value_parser = clap::value_parser!(u32).range(0..=MOST_PIECES as i64))]
    bb_size: u32,
    /// The folder of bitbases [default: see `manoury bitbase --help`]
    #[arg(long, value_name = "DIR")]
    bb_dir: Option<PathBuf>,
    #[command(flatten)]
    weights: WeightsArgument,
    /// Print a JSON object for each position, as described above
    #[arg(long)]
    json: bool,
    #[command(flatten, next_help_heading = "Limits of each position")]
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

/// The time for a position without any limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// The longest time in seconds: a year.
const LONGEST: f64 = 366.0 * 24.0 * 3600.0;

/// Analyzes and prints.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let interrupt = Interrupt::catch()?;
    arguments.positions.game.variant.visit(Analyst { arguments, interrupt })
}

/// Ctrl-C.
struct Interrupt {
    /// Ends the search.
    control: Control,
    /// Ends the wait for the next position.
    signal: Receiver<()>,
}

impl Interrupt {
    fn catch() -> Result<Interrupt, Error> {
        let control = Control::new();
        let (sender, signal) = crossbeam_channel::bounded(1);
        let handle = control.clone();
        ctrlc::set_handler(move || {
            handle.stop();
            // A second one says nothing new.
            let _ = sender.try_send(());
        })
        .map_err(io::Error::other)?;
        Ok(Interrupt { control, signal })
    }
}

struct Analyst<'a> {
    arguments: &'a Arguments,
    interrupt: Interrupt,
}

impl VariantVisitor for Analyst<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Arguments { positions, json, .. } = self.arguments;
        let options = self.arguments.options();
        let knowledge = Knowledge::<R>::new(&options, self.arguments.weights.open()?, None);
        let mut engine = Engine::with(knowledge, options);
        let is_batch = positions.is_batch();
        let is_live = !is_batch && !json && io::stdout().is_terminal();
        if is_batch && !json && io::stdout().is_terminal() {
            writeln!(io::stdout(), "{}", text::header())?;
        }
        positions.each_until::<R>(&self.interrupt.signal, |position| {
            let live = Live::new(is_live);
            let analysis = self.analyze(&mut engine, position, &live);
            live.finish();
            let mut output = io::stdout().lock();
            if *json {
                writeln!(output, "{}", serde_json::to_string(&analysis)?)?;
            } else if is_batch {
                write!(output, "{}", text::rows(&analysis))?;
            } else {
                write!(output, "{}", text::page(&analysis))?;
            }
            Ok(output.flush()?)
        })
    }
}

impl Analyst<'_> {
    fn analyze<R: Rules>(
        &self,
        engine: &mut Engine<R>,
        position: &Position<R>,
        live: &Live,
    ) -> Analysis {
        if let Some(outcome) = game::terminal(position) {
            return Analysis::of_finished(position, outcome);
        }
        // What was learned from earlier positions would make the answer depend on them.
        engine.new_game();
        engine.set_game(Game::new(*position));
        let mut lines = BTreeMap::new();
        engine.go(self.arguments.limits.limits(), &self.interrupt.control, &mut |info| {
            lines.insert(info.rank, Line::new(info));
            live.show(lines.values());
        });
        Analysis::new(position, lines.into_values().collect())
    }
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
