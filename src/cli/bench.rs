//! `manoury bench`: the speed and the signature of the search.

use std::io::{self, Write};

use clap::Args;

use crate::engine::bench;

use super::Error;
use super::answers::write_json;
use super::game::GameArgument;
use super::speed::Speed;
use super::weights::WeightsArgument;

/// Search a fixed set of positions of a game to a fixed depth
///
/// The last line is `nodes=N time=S nps=R`: nodes, seconds, nodes per second. On one thread the
/// node count is the same on every machine and changes only if the search or the evaluation does.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArgument,
    /// Depth in plies [default: 14, which takes a few seconds]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Number of search threads
    #[arg(
        long,
        value_name = "T",
        default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    threads: u16,
    #[command(flatten)]
    weights: WeightsArgument,
    /// Print a JSON object: nodes, time, nps
    #[arg(short, long)]
    json: bool,
}

/// Searches and prints.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { game: GameArgument { variant }, weights, depth, threads, .. } = arguments;
    let evaluation = weights.open(*variant)?;
    let result = bench::run(*variant, *depth, (*threads).into(), &evaluation);
    let speed = Speed::new(result.nodes, result.time);
    let mut output = io::stdout().lock();
    if arguments.json {
        return write_json(&mut output, &speed);
    }
    writeln!(output, "{speed}")?;
    Ok(())
}
