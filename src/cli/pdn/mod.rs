//! `manoury pdn`: files of games.

mod clean;
mod convert;
mod count;
mod filter;
mod stream;

use clap::{Args, Subcommand};

use super::Error;

/// Filter, convert, clean and count the games of PDN files
///
/// Games stream through: a file may be larger than memory. Without a file, or for `-`, they come
/// from standard input; games go to standard output. A game with a fault is named on standard
/// error, by file, line and column.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: PdnCommand,
}

#[derive(Subcommand, Debug)]
enum PdnCommand {
    Filter(filter::Arguments),
    Convert(convert::Arguments),
    Clean(clean::Arguments),
    Count(count::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    match &arguments.command {
        PdnCommand::Filter(arguments) => filter::run(arguments),
        PdnCommand::Convert(arguments) => convert::run(arguments),
        PdnCommand::Clean(arguments) => clean::run(arguments),
        PdnCommand::Count(arguments) => count::run(arguments),
    }
}
