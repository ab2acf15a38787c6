//! `manoury bitbase generate`: makes bitbases.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use indicatif::{BinaryBytes, HumanCount};

use crate::bitbase::{self, Bitbases, Content, GenerateError, SolveError, folder_of};
use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::notice::notice;
use crate::cli::threads::Threads;
use crate::memory::installed;
use crate::rules::{Rules, VariantVisitor};

use super::meter::Meter;
use super::place::file_failed;

/// Make the bitbases of all endings up to a number of pieces
///
/// Says first how many positions there are and how much memory it takes. Ctrl-C ends it, and the same
/// command goes on: endings whose files are in the folder are read, not made again.
///
/// The last line is `slices=N positions=N bytes=N time=S`: endings, positions, bytes of all files,
/// seconds.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The most pieces on the board: with each more it takes about thirty times as long
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=7))]
    pieces: u8,
    /// The folder of bitbases; the files go into one in it that has the name of the game
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    #[command(flatten)]
    game: GameArgument,
    /// Also find out in how many plies each position is won or lost
    #[arg(long)]
    distances: bool,
    #[command(flatten)]
    threads: Threads,
}

/// Makes the files and tells how many.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.game.variant.visit(Generator(arguments))
}

struct Generator<'a>(&'a Arguments);

impl VariantVisitor for Generator<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Arguments { ref dir, pieces, distances, ref threads, .. } = *self.0;
        let (folder, pieces, start) = (folder_of::<R>(dir), usize::from(pieces), Instant::now());
        let positions = bitbase::positions::<R>(pieces);
        let memory = bitbase::memory::<R>(pieces, distances);
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

        let (meter, pool) = (Meter::new()?, threads.pool()?);
        let steps = if distances { 4 } else { 2 };
        meter
            .watch(positions, steps, &pool, || {
                bitbase::generate::<R>(&folder, pieces, distances, &meter)
            })
            .map_err(failed)?;

        let mut bitbases = Bitbases::<R>::none();
        if let Some(fault) = bitbases.open(&folder, pieces).into_iter().next() {
            return Err(file_failed(fault));
        }
        let (slices, bytes) = (bitbases.files(Content::Values).count(), bitbases.size());
        let seconds = start.elapsed().as_secs_f64();
        let mut output = io::stdout().lock();
        writeln!(output, "slices={slices} positions={positions} bytes={bytes} time={seconds:.1}")?;
        Ok(())
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
