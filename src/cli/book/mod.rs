//! `manoury book`: opening books.

mod export;
mod grow;
mod recorder;
mod show;

use std::time::Duration;

use clap::{Args, Subcommand};

use crate::board::Side;
use crate::book::{Effort, Graph};
use crate::cli::Error;
use crate::cli::error::number;
use crate::cli::interrupt::interruptible;
use crate::score::Score;

/// Build and inspect opening books
///
/// A book contains positions and their scores. It is built from the start position: all moves of
/// each expanded position are searched, and the scores are propagated back to the start. There is a
/// built-in book for international draughts, and a small one for every other variant except killer,
/// Frysk!, Czech and Turkish draughts.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug)]
enum BookCommand {
    Build(grow::BuildArguments),
    Search(grow::SearchArguments),
    Probe(show::ProbeArguments),
    Tree(show::TreeArguments),
    Stats(show::StatsArguments),
    Merge(grow::MergeArguments),
    Export(export::Arguments),
    Import(grow::ImportArguments),
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<(), Error> {
    match arguments.command {
        BookCommand::Build(arguments) => grow::build(&arguments),
        BookCommand::Search(arguments) => interruptible(move || grow::search(&arguments)),
        BookCommand::Probe(arguments) => show::probe(&arguments),
        BookCommand::Tree(arguments) => show::tree(&arguments),
        BookCommand::Stats(arguments) => show::stats(&arguments),
        BookCommand::Merge(arguments) => grow::merge(&arguments),
        BookCommand::Export(arguments) => export::run(&arguments),
        BookCommand::Import(arguments) => grow::import(&arguments),
    }
}

/// The search effort per position.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub struct EffortArguments {
    /// Search time per new position in seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    time_per_position: Option<f64>,
    /// Nodes searched per new position; the resulting book is the same on every machine
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..))]
    nodes_per_position: Option<u64>,
}

impl EffortArguments {
    /// The effort. The parser ensures that exactly one of the options is given.
    pub fn effort(&self) -> Effort {
        match (self.time_per_position, self.nodes_per_position) {
            (Some(seconds), _) => Effort::Seconds(seconds),
            (None, nodes) => Effort::Nodes(nodes.unwrap_or(1)),
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    /// One day, in seconds.
    const MAX_SECONDS: f64 = 86_400.0;
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0 && *seconds <= MAX_SECONDS);
    seconds.ok_or_else(|| format!("expected more than 0 and at most {MAX_SECONDS} seconds"))
}

/// The last line printed by a command that writes a book.
pub fn summary(graph: &Graph, time: Duration) -> String {
    let (expanded, positions, score) = (graph.expanded(), graph.len(), graph.score());
    let time = time.as_secs_f64();
    format!("expanded={expanded} positions={positions} score={score} time={time:.1}")
}

/// Formats a score for `side` as a signed score for White.
pub fn for_white(score: Score, side: Side) -> String {
    let score = score.for_white(side);
    let sign = if score.0 > 0 { "+" } else { "" };
    format!("{sign}{score}")
}

/// The move number before a move, `1.` or `1...`; `ply` counts from 0.
pub fn move_number(ply: usize) -> String {
    // A move number covers two plies, whichever side moves first.
    format!("{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." })
}
