//! `manoury bitbase`: endgame bitbases.

mod folder;
mod generate;
mod info;
mod longest;
mod plan;
mod probe;
mod progress;
mod stats;
mod verify;

pub use folder::BitbaseFolder;

use clap::{Args, Subcommand};

use super::Error;
use super::interruptible::interruptible;

/// Make, check and look into endgame bitbases: the value of every position with few pieces
///
/// Each ending has a file. Its name has four digits: men of the side to move, men of the opponent,
/// kings of the side to move, kings of the opponent. Part of the program are the endings with 2 and
/// 3 pieces of every game, those with 4 of international draughts and, without distances, those
/// with 4 of the games on the dark squares of 8x8. Others are read from the folder given by
/// --bitbases, by default `bitbases` beside the program or `manoury/bitbases` in the user's data
/// folder.
///
/// Values ignore the draw rules: no draws by repetition or move counts, and in Frisian draughts no
/// limit on consecutive moves of a king.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: BitbaseCommand,
}

#[derive(Subcommand, Debug)]
enum BitbaseCommand {
    Generate(generate::Arguments),
    Plan(plan::Arguments),
    Probe(probe::Arguments),
    Info(info::Arguments),
    Verify(verify::Arguments),
    Stats(stats::Arguments),
    Longest(longest::Arguments),
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<(), Error> {
    match arguments.command {
        BitbaseCommand::Generate(arguments) => generate::run(&arguments),
        BitbaseCommand::Plan(arguments) => plan::run(&arguments),
        BitbaseCommand::Probe(arguments) => probe::run(&arguments),
        BitbaseCommand::Info(arguments) => info::run(&arguments),
        BitbaseCommand::Verify(arguments) => interruptible(move || verify::run(&arguments)),
        BitbaseCommand::Stats(arguments) => stats::run(&arguments),
        BitbaseCommand::Longest(arguments) => longest::run(&arguments),
    }
}
