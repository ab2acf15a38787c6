//! `manoury bitbase`: endgame bitbases.

mod generate;
mod info;
mod longest;
mod meter;
mod place;
mod probe;
mod stats;
mod verify;

use clap::{Args, Subcommand};

use super::Error;

/// Make, check and look into endgame bitbases: the value of every position with few pieces
///
/// Each ending has a file. Its name has four digits: men of the side to move, men of the opponent,
/// kings of the side to move, kings of the opponent. Those of international draughts with 2 to 4
/// pieces are part of the program; more are found in the folder that --dir names, else in `bitbases`
/// beside the program or `manoury/bitbases` in the data folder of the user.
///
/// Values are those of play without end: no draws by repetition or by counting moves.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Generate(generate::Arguments),
    Probe(probe::Arguments),
    Info(info::Arguments),
    Verify(verify::Arguments),
    Stats(stats::Arguments),
    Longest(longest::Arguments),
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    match &arguments.command {
        Command::Generate(arguments) => generate::run(arguments),
        Command::Probe(arguments) => probe::run(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Longest(arguments) => longest::run(arguments),
    }
}
