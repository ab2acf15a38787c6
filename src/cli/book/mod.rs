//! `manoury book`: opening books.

mod build;
mod effort;
mod export;
mod games;
mod import;
mod keeper;
mod merge;
mod place;
mod probe;
mod stats;
mod text;
mod tree;

pub use place::Place;

use clap::{Args, Subcommand};

use super::Error;

/// Make opening books and look into them
///
/// A book knows positions and what they are worth. It grows from the start position: of each position that
/// is expanded all moves are searched, and the scores are carried up to the start. The book of
/// international draughts is part of the program.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Build(build::Arguments),
    Probe(probe::Arguments),
    Tree(tree::Arguments),
    Stats(stats::Arguments),
    Merge(merge::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    match &arguments.command {
        Command::Build(arguments) => build::run(arguments),
        Command::Probe(arguments) => probe::run(arguments),
        Command::Tree(arguments) => tree::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Import(arguments) => import::run(arguments),
    }
}
