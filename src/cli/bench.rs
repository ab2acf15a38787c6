//! `manoury bench`: the speed and the signature of the search.

use std::io::{self, Write};

use clap::Args;

use crate::bench;

use super::Error;
use super::speed::Speed;
use super::weights::WeightsArgument;

/// Search fixed positions to a fixed depth
///
/// The last line is `nodes=N time=S nps=R`. On one thread the nodes are the same on every machine:
/// they change only if the search or the evaluation does.
#[derive(Args, Debug)]
pub struct Arguments {
    /// How many plies deep [default: chosen so that it takes seconds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Threads to search with
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    #[command(flatten)]
    weights: WeightsArgument,
    /// Print a JSON object: nodes, time, nps
    #[arg(long)]
    json: bool,
}

/// Searches and prints.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let evaluation = arguments.weights.open()?;
    let result = bench::run(arguments.depth, arguments.threads.into(), &evaluation);
    let speed = Speed::new(result.nodes, result.time);
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string(&speed)?)?;
    } else {
        writeln!(output, "{speed}")?;
    }
    Ok(())
}
