//! `manoury bitbase generate` and `verify`: generates and verifies bitbases.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use indicatif::{BinaryBytes, HumanCount};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use serde::Serialize;

use crate::bitbase::{Content, FileError, GenerateError, Slice, SolveError};
use crate::cli::Error;
use crate::cli::args::{
    BitbasesArgument, JsonArgument, SeedArgument, ThreadsArgument, VariantArgument, bitbase_failed,
};
use crate::cli::error::number;
use crate::cli::output::{print_stderr, write_json};
use crate::engine::{bitbase_folder, limits, total_memory};
use crate::erased::{BitbaseFile, Bitbases, Generation, SliceGeneration};
use crate::rules::Variant;
use crate::runtime::interrupt::Interrupt;
use crate::runtime::progress::{Progress, ProgressCounter};

use super::show_progress;

/// Generate the bitbases of all endings (slices) with up to a given number of pieces
///
/// Before it starts, prints the number of positions and the memory needed. Ctrl-C interrupts the
/// work; the same command resumes it, since slices that already have files in the folder are not
/// generated again.
///
/// With --slice, generates only the given slices, for both sides to move, from the files of the
/// slices they lead to; the tasks of `manoury bitbase plan` use this.
///
/// The engine plays better with more bitbases than those built in: English draughts with up to 6
/// pieces, which takes two minutes on two cores and 53 MB, gained 17 Elo. It finds them in a folder
/// `bitbases` next to the program, or in the one named by the Hub parameter `bb-dir`.
///
/// The last line is `slices=N positions=N bytes=N time=S`: slices, positions, total size of the
/// files, seconds.
#[derive(Args, Debug)]
#[command(after_long_help = GENERATE_EXAMPLES)]
pub struct GenerateArguments {
    /// Maximum number of pieces; each additional piece multiplies the time by 18 (8x8) to 30
    #[arg(
        long,
        value_name = "N",
        required_unless_present = "slices",
        value_parser = number::<u8>(2..=limits::MAX_BITBASE_PIECES.into())
    )]
    pieces: Option<u8>,
    /// Generate only this slice, such as 0211: a king against two men and a king; may be repeated
    #[arg(long = "slice", value_name = "SLICE", conflicts_with_all = ["pieces", "distances"])]
    slices: Vec<Slice>,
    /// Folder of bitbases; the files go into its subfolder for the variant
    #[arg(long = "bitbases", aliases = ["dir", "out"], value_name = "DIR")]
    dir: PathBuf,
    #[command(flatten)]
    game: VariantArgument,
    /// Also compute distances: the number of plies to the end of the game from won and lost
    /// positions; takes more time and memory
    #[arg(long)]
    distances: bool,
    #[command(flatten)]
    threads: ThreadsArgument,
}

/// The examples at the end of the help.
const GENERATE_EXAMPLES: &str = "Examples:
  manoury bitbase generate --pieces 3 --bitbases bitbases
  manoury bitbase generate --variant russian --pieces 2 --distances --bitbases bitbases";

/// Generates the files and prints a summary.
pub fn generate(arguments: &GenerateArguments) -> Result<(), Error> {
    let GenerateArguments { dir, pieces, slices, game, distances, .. } = arguments;
    let (variant, folder) = (game.variant, bitbase_folder(game.variant, dir));
    if let Some(pieces) = pieces.map(usize::from) {
        let generation = Generation { variant, pieces, has_distances: *distances };
        let work = GenerationJob {
            positions: generation.positions(),
            memory: generation.memory(),
            slices: (2..=pieces).flat_map(Slice::all).collect(),
            make: &|progress| generation.run(&folder, progress),
        };
        return work.run(arguments);
    }
    let generation = SliceGeneration { variant, slices };
    let work = GenerationJob {
        positions: generation.positions(),
        memory: generation.memory(),
        slices: slices.iter().flat_map(|slice| slice.with_mirror()).collect(),
        make: &|progress| generation.run(&folder, progress),
    };
    work.run(arguments)
}

/// The bitbases to generate, as requested by the arguments.
struct GenerationJob<'a> {
    positions: u64,
    /// The memory needed, in bytes.
    memory: u64,
    slices: BTreeSet<Slice>,
    make: &'a (dyn Fn(&dyn Progress) -> Result<(), GenerateError> + Sync),
}

impl GenerationJob<'_> {
    fn run(&self, arguments: &GenerateArguments) -> Result<(), Error> {
        let GenerateArguments { dir, game, distances, threads, .. } = arguments;
        let (start, positions) = (Instant::now(), self.positions);
        self.check_memory()?;
        let (interrupt, pool) = (Interrupt::on_ctrl_c()?, threads.pool()?);
        let steps = if *distances { 4 } else { 2 };
        let make = |progress: &ProgressCounter| (self.make)(progress);
        let made = show_progress(positions, steps, &pool, &interrupt, make);
        made.map_err(|error| failed(error, &bitbase_folder(game.variant, dir)))?;

        let (slices, bytes) = (self.slices.len(), self.bytes(game.variant, dir)?);
        let seconds = start.elapsed().as_secs_f64();
        let mut output = io::stdout().lock();
        writeln!(output, "slices={slices} positions={positions} bytes={bytes} time={seconds:.1}")?;
        Ok(())
    }

    /// Prints the number of positions and the memory needed; fails if the machine has less memory.
    fn check_memory(&self) -> Result<(), Error> {
        let (positions, memory) = (HumanCount(self.positions), BinaryBytes(self.memory));
        print_stderr(format_args!("{positions} positions, up to {memory} of memory"));
        match total_memory() {
            Some(installed) if self.memory > installed => {
                let installed = BinaryBytes(installed);
                Err(Error::Input(format!(
                    "this needs {memory} of memory, but the machine has only {installed}"
                )))
            }
            _ => Ok(()),
        }
    }

    /// The total size of the files, in bytes.
    fn bytes(&self, variant: Variant, dir: &Path) -> Result<u64, Error> {
        let mut bitbases = Bitbases::none(variant);
        let pieces = self.slices.iter().map(|slice| slice.pieces()).max().unwrap_or_default();
        if let Some(fault) = bitbases.open(&bitbase_folder(variant, dir), pieces).into_iter().next()
        {
            return Err(bitbase_failed(fault));
        }
        let contents = [Content::Values, Content::Distances].into_iter();
        let files = contents.flat_map(|content| bitbases.files(content));
        let files = files.filter(|file| self.slices.contains(&file.slice()));
        Ok(files.map(BitbaseFile::size).sum())
    }
}

fn failed(error: GenerateError, folder: &Path) -> Error {
    match error {
        GenerateError::Solve(SolveError::Missing(slice)) => Error::Input(format!(
            "{}: no file for {slice}, to which the given slices lead; generate it first, with \
             --slice {slice} or --pieces {}",
            folder.display(),
            slice.pieces()
        )),
        GenerateError::File(error) => bitbase_failed(error),
        GenerateError::Solve(SolveError::Stopped) => Error::interrupted(true),
        GenerateError::Solve(error) => Error::System(io::Error::other(error)),
    }
}

/// Verify bitbases: checksums, and that values and distances agree with those after each move
///
/// Prints a line for each faulty slice; the exit code is 1 if there are any. The last line is
/// `slices=N positions=N faults=N`.
///
/// JSON, one object per slice: variant, slice, file, checksum (null if the file is unusable),
/// positions (the number compared) and fault (null if there is none).
#[derive(Args, Debug)]
#[command(after_long_help = VERIFY_EXAMPLES)]
pub struct VerifyArguments {
    #[command(flatten)]
    folder: BitbasesArgument,
    #[command(flatten)]
    game: VariantArgument,
    /// Number of random positions to compare in each slice
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    positions: u64,
    #[command(flatten)]
    seed: SeedArgument,
    #[command(flatten)]
    json: JsonArgument,
}

/// The examples at the end of the help.
const VERIFY_EXAMPLES: &str = "Examples:
  manoury bitbase verify --bitbases bitbases --positions 100";

/// The result of verifying an ending.
#[derive(Serialize)]
struct SliceCheck {
    variant: &'static str,
    slice: String,
    file: String,
    checksum: Option<String>,
    positions: u64,
    fault: Option<String>,
}

/// Verifies the bitbases and prints the results.
pub fn verify(arguments: &VerifyArguments) -> Result<(), Error> {
    let variant = arguments.game.variant;
    let (bitbases, faults) = arguments.folder.open_usable(variant)?;
    let mut checks: Vec<_> =
        faults.iter().map(|fault| SliceCheck::of_unusable(variant, fault)).collect();
    checks.dedup_by(|one, other| one.slice == other.slice);
    let is_usable =
        |file: &&BitbaseFile| checks.iter().all(|check| check.slice != file.slice().to_string());
    let files: Vec<_> = bitbases.files(Content::Values).filter(is_usable).collect();
    checks.par_extend(files.into_par_iter().map(|file| arguments.check(file, &bitbases)));
    let mut output = io::stdout().lock();
    for check in &checks {
        match &check.fault {
            _ if arguments.json.is_on() => write_json(&mut output, check)?,
            Some(fault) => writeln!(output, "{fault}")?,
            None => {}
        }
    }
    let faults = checks.iter().filter(|check| check.fault.is_some()).count();
    let positions: u64 = checks.iter().map(|check| check.positions).sum();
    if !arguments.json.is_on() {
        writeln!(output, "slices={} positions={positions} faults={faults}", checks.len())?;
    }
    match faults {
        0 => Ok(()),
        _ => Err(Error::No(format!("{faults} of {} endings have a fault", checks.len()))),
    }
}

impl SliceCheck {
    /// The check of an ending of which a file cannot be opened.
    fn of_unusable(variant: Variant, fault: &FileError) -> SliceCheck {
        SliceCheck {
            variant: variant.name(),
            slice: fault.path.file_stem().unwrap_or_default().display().to_string(),
            file: fault.path.display().to_string(),
            checksum: None,
            positions: 0,
            fault: Some(fault.to_string()),
        }
    }
}

impl VerifyArguments {
    fn check(&self, file: &BitbaseFile, bitbases: &Bitbases) -> SliceCheck {
        let (slice, count) = (file.slice(), file.positions());
        let files = [Some(file), bitbases.file(slice, Content::Distances)];
        let mut check = SliceCheck {
            variant: bitbases.variant().name(),
            slice: slice.to_string(),
            file: file.path().display().to_string(),
            checksum: Some(format!("{:08x}", file.checksum())),
            positions: 0,
            fault: files
                .into_iter()
                .flatten()
                .find_map(|file| file.verify().err())
                .map(|error| error.to_string()),
        };
        let mut random = SmallRng::seed_from_u64(self.seed.seed);
        let takes_all = count <= self.positions;
        for next in 0..count.min(self.positions) {
            if check.fault.is_some() {
                break;
            }
            let number = if takes_all { next } else { random.random_range(0..count) };
            check.fault = compare(number, file, bitbases);
            check.positions += 1;
        }
        check
    }
}

/// Compares the stored verdict of a position with the verdict derived from its moves, and describes
/// any difference. Skips positions with a capture.
fn compare(number: u64, file: &BitbaseFile, bitbases: &Bitbases) -> Option<String> {
    let position = bitbases.position(file, number);
    if position.has_capture() {
        return None;
    }
    // Without moves, or if a move leads to an ending that is missing, there is nothing to compare.
    let should = bitbases.verdict_by_moves(&position)?;
    let name = file.path().display();
    let Some(is) = bitbases.probe(&position) else {
        return Some(format!("{name}: position {number} has no value"));
    };
    let is_known = is.plies.is_some() && should.plies.is_some();
    let is_right = is.value == should.value && (!is_known || is.plies == should.plies);
    let fault =
        || format!("{name}: position {number} is \"{is}\", but its moves imply \"{should}\"");
    (!is_right).then(fault)
}
