//! `manoury bitbase generate`: makes bitbases.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::{BinaryBytes, HumanCount};

use crate::bitbase::{Content, GenerateError, SolveError};
use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::notice::notice;
use crate::cli::threads::Threads;
use crate::door::{Bitbases, Generation};
use crate::engine::folder_of;
use crate::engine::memory::installed;

use super::folder::file_failed;
use super::progress::SolveProgress;

/// Make the bitbases of all endings up to a number of pieces
///
/// Prints the number of positions and the memory needed before it starts. Ctrl-C interrupts it; the
/// same command then continues, since endings that have files in the folder are read, not made
/// again.
///
/// The last line is `slices=N positions=N bytes=N time=S`: endings, positions, size of all files,
/// seconds.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Most pieces on the board; each additional piece takes about thirty times as long
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=7))]
    pieces: u8,
    /// The folder of bitbases; the files go into its subfolder for the game
    #[arg(long = "bitbases", alias = "dir", value_name = "DIR")]
    dir: PathBuf,
    #[command(flatten)]
    game: GameArgument,
    /// Also compute distances: in how many plies each position is won or lost; takes longer and
    /// needs more memory
    #[arg(long)]
    distances: bool,
    #[command(flatten)]
    threads: Threads,
}

/// Makes the files and prints a summary.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { dir, pieces, game, distances, threads } = arguments;
    let (variant, pieces, start) = (game.variant, usize::from(*pieces), Instant::now());
    let folder = folder_of(variant, dir);
    let generation = Generation { variant, pieces, has_distances: *distances };
    let (positions, memory) = (generation.positions(), generation.memory());
    notice(format_args!(
        "{} positions, up to {} of memory",
        HumanCount(positions),
        BinaryBytes(memory)
    ));
    if let Some(installed) = installed()
        && memory > installed
    {
        let installed = BinaryBytes(installed);
        return Err(Error::Input(format!("--pieces {pieces}: the machine has {installed}")));
    }

    let (progress, pool) = (SolveProgress::new()?, threads.pool()?);
    let steps = if *distances { 4 } else { 2 };
    progress
        .watch(positions, steps, &pool, || generation.run(&folder, &progress))
        .map_err(failed)?;

    let mut bitbases = <dyn Bitbases>::none(variant);
    if let Some(fault) = bitbases.open(&folder, pieces).into_iter().next() {
        return Err(file_failed(fault));
    }
    let (slices, bytes) = (bitbases.files(Content::Values).count(), bitbases.size());
    let seconds = start.elapsed().as_secs_f64();
    let mut output = io::stdout().lock();
    writeln!(output, "slices={slices} positions={positions} bytes={bytes} time={seconds:.1}")?;
    Ok(())
}

fn failed(error: GenerateError) -> Error {
    match error {
        GenerateError::File(error) => file_failed(error),
        GenerateError::Solve(SolveError::Stopped) => {
            Error::No("interrupted; the same command goes on from here".to_owned())
        }
        GenerateError::Solve(error) => Error::System(io::Error::other(error)),
    }
}
