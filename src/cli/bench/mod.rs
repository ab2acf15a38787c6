//! `manoury bench`: how fast this program searches, with any number of threads and size of the table,
//! or any engines beside each other.

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
/// Several numbers of --threads or --tt-size make a table: seconds to the depth, nodes, nodes per
/// second, and how much faster than with the first numbers the depth is reached, with the 95 %
/// interval over the rounds. All combinations are measured in turns.
///
/// With --engine, engines are described as in `manoury match --help` and search the positions in turns,
/// each as the first one of a new game. The table has the seconds until an engine was ready; seconds,
/// nodes and nodes per second of a round; the mean depth; how much longer the very first search took
/// than later ones of the same position; the ratio of the first engine's time to that of each other,
/// with its 95 % interval over the rounds: 2 means twice as fast; and the peak memory in MiB (on Linux).
///
/// JSON: one object with nodes, time, nps; with several numbers one object for each combination:
/// threads, tt_size, times (seconds of each round), nodes (of each round), nps, speed (value, and the
/// interval as two numbers, against the first combination) and nps_ratio (the same of nodes per second);
/// with --engine one object per engine: name, identity, ready, times, nodes, nps, depth, first, speed
/// (against the first engine), memory (peak, in bytes), and with best moves solved: a list of how many
/// were found in each round, and their number.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct BenchArguments {
    #[command(flatten)]
    game: VariantArgument,
    /// Depth in plies [default: 14, which takes a few seconds]
    #[arg(short, long, value_name = "N", value_parser = number::<u32>(1..))]
    depth: Option<u32>,
    /// Number of search threads, or several, separated by commas
    #[arg(long, value_name = "T", value_delimiter = ',', default_value = "1", value_parser = number::<u16>(1..=limits::MAX_THREADS.into()))]
    threads: Vec<u16>,
    /// Base-2 logarithm of the number of entries of the transposition table, 16 bytes each, or
    /// several, separated by commas
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [bench::TT_SIZE], value_parser = table_size)]
    tt_size: Vec<u32>,
    /// How often each combination of numbers, or each engine, searches all positions
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number::<u16>(1..=1000))]
    rounds: u16,
    /// Write a chart of the table of several numbers to this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    weights: WeightsArgument,
    #[command(flatten)]
    engines: EnginesArguments,
    #[command(flatten)]
    json: JsonArgument,
}

/// The examples at the end of the help.
const EXAMPLES: &str = "Examples:
  manoury bench --depth 6
  manoury bench --depth 6 --rounds 2 --threads 1,2 --svg scaling.svg
  manoury bench --depth 6 --rounds 2 --engine manoury --engine manoury,param.threads=2";

/// Runs the benchmark and prints the result.
pub fn run(arguments: BenchArguments) -> Result<(), Error> {
    if !arguments.engines.are_given() {
        return interruptible(move || run_own(&arguments));
    }
    engines::run(&arguments)
}

fn run_own(arguments: &BenchArguments) -> Result<(), Error> {
    let settings = arguments.settings();
    let [settings] = settings[..] else { return scaling::run(arguments, settings) };
    if arguments.svg.is_some() {
        return Err(Error::usage("--svg needs several numbers of --threads or --tt-size"));
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
    /// All combinations of the numbers.
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
