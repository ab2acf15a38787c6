//! `manoury bitbase generate`: makes bitbases.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use indicatif::{BinaryBytes, HumanCount};

use crate::bitbase::{Content, GenerateError, Slice, SolveError};
use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::notice::notice;
use crate::cli::threads::Threads;
use crate::engine::bitbase_folder;
use crate::engine::memory::installed;
use crate::erased::{BitbaseFile, Bitbases, Generation, SliceGeneration};
use crate::rules::Variant;

use super::folder::file_failed;
use super::progress::SolveProgress;

/// Make the bitbases of all endings up to a number of pieces
///
/// Prints the number of positions and the memory needed before it starts. Ctrl-C interrupts it; the
/// same command then continues, since endings that have files in the folder are read, not made
/// again.
///
/// With --slice it makes these endings only, each with the same pieces and the other side to move,
/// from the files of the endings they lead to: a task of `manoury bitbase plan`.
///
/// The last line is `slices=N positions=N bytes=N time=S`: endings, positions, size of all files,
/// seconds.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Most pieces on the board; each additional piece takes about thirty times as long
    #[arg(
        long,
        value_name = "N",
        required_unless_present = "slices",
        value_parser = clap::value_parser!(u8).range(2..=7)
    )]
    pieces: Option<u8>,
    /// An ending to make alone, such as 0211: a king against two men and a king; may be repeated
    #[arg(long = "slice", value_name = "SLICE", conflicts_with_all = ["pieces", "distances"])]
    slices: Vec<Slice>,
    /// The folder of bitbases; the files go into its subfolder for the game
    #[arg(long = "bitbases", aliases = ["dir", "out"], value_name = "DIR")]
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
    let Arguments { dir, pieces, slices, game, distances, .. } = arguments;
    let (variant, folder) = (game.variant, bitbase_folder(game.variant, dir));
    if let Some(pieces) = pieces.map(usize::from) {
        let generation = Generation { variant, pieces, has_distances: *distances };
        let work = Work {
            positions: generation.positions(),
            memory: generation.memory(),
            slices: (2..=pieces).flat_map(Slice::all).collect(),
            make: &|progress| generation.run(&folder, progress),
        };
        return work.run(arguments);
    }
    let generation = SliceGeneration { variant, slices };
    let work = Work {
        positions: generation.positions(),
        memory: generation.memory(),
        slices: slices.iter().flat_map(|slice| slice.with_mirror()).collect(),
        make: &|progress| generation.run(&folder, progress),
    };
    work.run(arguments)
}

/// The generation that the arguments ask for.
struct Work<'a> {
    positions: u64,
    /// In bytes.
    memory: u64,
    slices: BTreeSet<Slice>,
    make: &'a (dyn Fn(&SolveProgress) -> Result<(), GenerateError> + Sync),
}

impl Work<'_> {
    fn run(&self, arguments: &Arguments) -> Result<(), Error> {
        let Arguments { dir, game, distances, threads, .. } = arguments;
        let (start, positions) = (Instant::now(), self.positions);
        self.check_memory()?;
        let (progress, pool) = (SolveProgress::new()?, threads.pool()?);
        let steps = if *distances { 4 } else { 2 };
        progress.watch(positions, steps, &pool, || (self.make)(&progress)).map_err(failed)?;

        let (slices, bytes) = (self.slices.len(), self.bytes(game.variant, dir)?);
        let seconds = start.elapsed().as_secs_f64();
        let mut output = io::stdout().lock();
        writeln!(output, "slices={slices} positions={positions} bytes={bytes} time={seconds:.1}")?;
        Ok(())
    }

    /// Tells what the work takes, and refuses it if the machine has less memory.
    fn check_memory(&self) -> Result<(), Error> {
        let (positions, memory) = (HumanCount(self.positions), BinaryBytes(self.memory));
        notice(format_args!("{positions} positions, up to {memory} of memory"));
        match installed() {
            Some(installed) if self.memory > installed => {
                let installed = BinaryBytes(installed);
                Err(Error::Input(format!(
                    "this takes {memory} of memory, the machine has {installed}"
                )))
            }
            _ => Ok(()),
        }
    }

    /// The size of the files, in bytes.
    fn bytes(&self, variant: Variant, dir: &Path) -> Result<u64, Error> {
        let mut bitbases = Bitbases::none(variant);
        let pieces = self.slices.iter().map(|slice| slice.pieces()).max().unwrap_or_default();
        if let Some(fault) = bitbases.open(&bitbase_folder(variant, dir), pieces).into_iter().next()
        {
            return Err(file_failed(fault));
        }
        let contents = [Content::Values, Content::Distances].into_iter();
        let files = contents.flat_map(|content| bitbases.files(content));
        let files = files.filter(|file| self.slices.contains(&file.slice()));
        Ok(files.map(BitbaseFile::size).sum())
    }
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
