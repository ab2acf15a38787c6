//! `manoury bitbase`: endgame bitbases.

mod generate;
mod plan;
mod probe;
mod stats;

use clap::{Args, Subcommand};
use rayon::ThreadPool;

use crate::cli::Error;
use crate::cli::interrupt::interruptible;
use crate::cli::progress::ProgressBar;
use crate::runtime::interrupt::Interrupt;
use crate::runtime::progress::ProgressCounter;

/// Generate, verify and query endgame bitbases: the value of every position with few pieces
///
/// Each ending (slice) is stored in a file, named by four digits: men of the side to move, men of
/// the opponent, kings of the side to move, kings of the opponent. The slices with 2 and 3 pieces
/// are built in for every variant, as are those with 4 pieces for international draughts and,
/// without distances, for the variants on the dark squares of 8x8. Others are read from the folder
/// given by --bitbases, by default `bitbases` next to the program or `manoury/bitbases` in the
/// user's data folder.
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
    Generate(generate::GenerateArguments),
    Plan(plan::PlanArguments),
    Probe(probe::Arguments),
    Info(stats::InfoArguments),
    Verify(generate::VerifyArguments),
    Stats(stats::StatsArguments),
    Longest(stats::LongestArguments),
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<(), Error> {
    match arguments.command {
        BitbaseCommand::Generate(arguments) => generate::generate(&arguments),
        BitbaseCommand::Plan(arguments) => plan::plan_command(&arguments),
        BitbaseCommand::Probe(arguments) => probe::run(&arguments),
        BitbaseCommand::Info(arguments) => stats::info(&arguments),
        BitbaseCommand::Verify(arguments) => interruptible(move || generate::verify(&arguments)),
        BitbaseCommand::Stats(arguments) => stats::stats(&arguments),
        BitbaseCommand::Longest(arguments) => stats::longest(&arguments),
    }
}

/// Runs `work` in a pool while this thread shows the progress, in millions of positions. Each
/// position counts as `steps` units of progress.
fn show_progress<T: Send>(
    positions: u64,
    steps: u64,
    pool: &ThreadPool,
    interrupt: &Interrupt,
    work: impl FnOnce(&ProgressCounter) -> T + Send,
) -> T {
    const MILLION: u64 = 1_000_000;
    let counter = ProgressCounter::new(positions * steps, 0, interrupt.clone());
    ProgressBar::of(counter, steps * MILLION, "million positions")
        .during(|counter| pool.install(|| work(counter)), |_| String::new())
}
