//! `manoury book`: opening books.

mod build;
mod effort;
mod export;
mod file;
mod games;
mod import;
mod keeper;
mod merge;
mod probe;
mod search;
mod searches;
mod stats;
mod text;
mod tree;

pub use file::BookFile;

use clap::{Args, Subcommand};

use super::Error;
use super::interruptible::interruptible;

/// Make opening books and look into them
///
/// A book knows positions and their scores. It grows from the start position: all moves of each
/// expanded position are searched, and the scores are propagated back to the start. The program has
/// a book of international draughts, and small ones of the other games except killer, Frysk!, Czech
/// and Turkish draughts.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug)]
enum BookCommand {
    Build(build::Arguments),
    Search(search::Arguments),
    Probe(probe::Arguments),
    Tree(tree::Arguments),
    Stats(stats::Arguments),
    Merge(merge::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<(), Error> {
    match arguments.command {
        BookCommand::Build(arguments) => build::run(&arguments),
        BookCommand::Search(arguments) => interruptible(move || search::run(&arguments)),
        BookCommand::Probe(arguments) => probe::run(&arguments),
        BookCommand::Tree(arguments) => tree::run(&arguments),
        BookCommand::Stats(arguments) => stats::run(&arguments),
        BookCommand::Merge(arguments) => merge::run(&arguments),
        BookCommand::Export(arguments) => export::run(&arguments),
        BookCommand::Import(arguments) => import::run(&arguments),
    }
}
