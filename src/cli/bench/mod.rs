//! `manoury bench`: measures the speed of this program for one or several numbers of threads and
//! table sizes, or compares engines.

mod engines;
mod scaling;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::arena::speed::ratio::Ratio;
use crate::engine::bench::{self, BenchSettings};
use crate::engine::limits;

use super::Error;
use super::args::{JsonArgument, VariantArgument, WeightsArgument, table_size};
use super::error::number;
use super::interrupt::interruptible;
use super::output::{Speed, write_json};

use engines::EnginesArguments;

/// Measure the speed of the search on a fixed set of positions
///
/// Without --engine, this program searches the positions to a depth. The last line is `nodes=N time=S
/// nps=R`: nodes, seconds, nodes per second. On one thread the node count is the same on every machine
/// and changes only if the search or the evaluation does.
///
/// With several values of --threads or --tt-size, prints a table with a row for each combination:
/// seconds to the depth, nodes, nodes per second, and the speedup over the first combination, with
/// its 95 % interval over the rounds. The combinations take turns.
///
/// With --engine, the engines, given as in `manoury match --help`, take turns searching the
/// positions, each in a new game. The table shows the seconds until an engine was ready; seconds,
/// nodes and nodes per second of a round; the mean depth; the ratio of the time of the very first
/// search to that of later searches of the same position; the speed relative to the first engine,
/// with its 95 % interval over the rounds; and the peak memory in MiB (Linux only). The speed is the
/// ratio of the times or, where --time sets these, of the nodes per second: 2 means twice as fast as
/// the first engine. An engine with an opening book plays from it unless told not to:
/// --engine manoury,param.book=false.
///
/// With --solve, the table also shows how many test positions were solved, and how many within
/// 0.01, 0.1, 1 and 10 seconds. A position is solved at the time from which on the engine's line
/// starts with a best move. The built-in positions are of international draughts; each has one best
/// move, which a search of 20,000 nodes does not find and which bitbases or a search of 250 million
/// nodes confirm. A DXP engine plays a game of one move from each position. DXP states times in
/// minutes, with three characters, so use --time 1.2 (.02 minutes) or --time 6 (0.1), not 1. The
/// engine does not report its line, so a position counts as solved at the time of the move.
///
/// JSON: one object with nodes, time, nps; with several values one object for each combination:
/// threads, tt_size, times (seconds of each round), nodes (of each round), nps, speed (value, and
/// the interval as two numbers, relative to the first combination) and nps_ratio (the same for
/// nodes per second); with --engine one object per engine: name, identity, ready, times, nodes,
/// nps, depth, first, speed (relative to the first engine), memory (peak, in bytes), and, if best
/// moves are given, solved: a list of the positions solved in each round, and the number of
/// positions with best moves; and solve_times: for each round and position with best moves, the
/// seconds until it was solved, or null.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct BenchArguments {
    #[command(flatten)]
    game: VariantArgument,
    /// Depth in plies [default: 14, which takes a few seconds]
    #[arg(short, long, value_name = "N", value_parser = number::<u32>(1..))]
    depth: Option<u32>,
    /// Number of search threads, or several values separated by commas
    #[arg(long, value_name = "T", value_delimiter = ',', default_value = "1", value_parser = number::<u16>(1..=limits::MAX_THREADS.into()))]
    threads: Vec<u16>,
    /// Base-2 logarithm of the number of entries of the transposition table, 16 bytes each, or
    /// several values separated by commas
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [bench::TT_SIZE], value_parser = table_size)]
    tt_size: Vec<u32>,
    /// Number of times that each combination of values, or each engine, searches all positions
    /// [default: 5; with --solve: 1]; needs --engine, --solve, or several values of --threads or
    /// --tt-size
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1000))]
    rounds: Option<u16>,
    /// Write a chart to this SVG file; needs several values of --threads or --tt-size
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    weights: WeightsArgument,
    #[command(flatten)]
    json: JsonArgument,
    #[command(flatten)]
    engines: EnginesArguments,
}

/// The number of rounds by default, except with `--solve`.
const ROUNDS: u16 = 5;

/// The examples at the end of the help.
const EXAMPLES: &str = "Examples:
  manoury bench --depth 6
  manoury bench --depth 6 --rounds 2 --threads 1,2 --svg scaling.svg
  manoury bench --depth 6 --rounds 2 --engine manoury --engine manoury,param.threads=2
  manoury bench --solve suite --time 0.02";

/// Runs the benchmark and prints the result.
pub fn run(arguments: BenchArguments) -> Result<(), Error> {
    if !arguments.engines.are_given()? {
        return interruptible(move || run_own(&arguments));
    }
    engines::run(&arguments)
}

fn run_own(arguments: &BenchArguments) -> Result<(), Error> {
    let settings = arguments.settings();
    let [settings] = settings[..] else { return scaling::run(arguments, settings) };
    if arguments.svg.is_some() {
        return Err(Error::usage("--svg needs several values of --threads or --tt-size"));
    }
    if arguments.rounds.is_some() {
        return Err(Error::usage(
            "--rounds needs --engine, --solve, or several values of --threads or --tt-size",
        ));
    }
    let variant = arguments.game.variant;
    let evaluation = arguments.weights.open(variant)?;
    let result = bench::run(variant, arguments.depth, settings, &evaluation);
    let speed = Speed::new(result.nodes, result.time);
    let mut output = io::stdout().lock();
    if arguments.json.is_on() {
        return write_json(&mut output, &speed);
    }
    writeln!(output, "{speed}")?;
    Ok(())
}

impl BenchArguments {
    /// The number of rounds.
    fn rounds(&self) -> u16 {
        self.rounds.unwrap_or(if self.engines.is_solving() { 1 } else { ROUNDS })
    }

    /// All combinations of `--threads` and `--tt-size`.
    fn settings(&self) -> Vec<BenchSettings> {
        let of_size = |&tt_size| {
            let threads = self.threads.iter();
            threads.map(move |&threads| BenchSettings { threads: threads.into(), tt_size })
        };
        self.tt_size.iter().flat_map(of_size).collect()
    }
}

/// The cells of a ratio and its interval in a table.
fn ratio_cells(ratio: Option<Ratio>) -> [String; 2] {
    let interval = ratio.and_then(|ratio| ratio.interval);
    [
        ratio.map_or("-".to_owned(), |ratio| format!("{:.3}", ratio.value)),
        interval.map_or("-".to_owned(), |[low, high]| format!("{low:.3} .. {high:.3}")),
    ]
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
