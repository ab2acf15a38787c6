//! `manoury bitbase verify`: checks bitbases.

use std::io::{self, Write};

use clap::Args;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use serde::Serialize;

use crate::bitbase::Content;
use crate::cli::Error;
use crate::cli::answers::write_json;
use crate::cli::game::GameArgument;
use crate::erased::{BitbaseFile, Bitbases};

use super::folder::BitbaseFolder;

/// Check bitbases: checksums, and the values and distances of positions against those of their
/// moves
///
/// Prints a line for each faulty ending; the exit code is 1 if there is one. The last line is
/// `slices=N positions=N faults=N`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    folder: BitbaseFolder,
    #[command(flatten)]
    game: GameArgument,
    /// Number of random positions of each ending to compare
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    positions: u64,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object per ending: variant, slice, file, checksum, positions (that were
    /// compared) and fault (null if there is none)
    #[arg(short, long)]
    json: bool,
}

/// The result of the check of an ending.
#[derive(Serialize)]
struct SliceCheck {
    variant: &'static str,
    slice: String,
    file: String,
    checksum: String,
    positions: u64,
    fault: Option<String>,
}

/// Checks and prints.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let bitbases = arguments.folder.open(arguments.game.variant)?;
    let files: Vec<_> = bitbases.files(Content::Values).collect();
    let checks = files.into_par_iter().map(|file| arguments.check(file, &bitbases));
    let checks: Vec<_> = checks.collect();
    let mut output = io::stdout().lock();
    for check in &checks {
        match &check.fault {
            _ if arguments.json => write_json(&mut output, check)?,
            Some(fault) => writeln!(output, "{fault}")?,
            None => {}
        }
    }
    let faults = checks.iter().filter(|check| check.fault.is_some()).count();
    let positions: u64 = checks.iter().map(|check| check.positions).sum();
    if !arguments.json {
        writeln!(output, "slices={} positions={positions} faults={faults}", checks.len())?;
    }
    match faults {
        0 => Ok(()),
        _ => Err(Error::No(format!("{faults} of {} endings have a fault", checks.len()))),
    }
}

impl Arguments {
    fn check(&self, file: &dyn BitbaseFile, bitbases: &Bitbases) -> SliceCheck {
        let (slice, count) = (file.slice(), file.positions());
        let files = [Some(file), bitbases.file(slice, Content::Distances)];
        let mut check = SliceCheck {
            variant: bitbases.variant().name(),
            slice: slice.to_string(),
            file: file.path().display().to_string(),
            checksum: format!("{:08x}", file.checksum()),
            positions: 0,
            fault: files
                .into_iter()
                .flatten()
                .find_map(|file| file.verify().err())
                .map(|error| error.to_string()),
        };
        let mut random = SmallRng::seed_from_u64(self.seed);
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

/// The fault of a position without a capture whose stored verdict differs from that of its moves.
fn compare(number: u64, file: &dyn BitbaseFile, bitbases: &Bitbases) -> Option<String> {
    let position = file.position(number);
    if position.has_capture() {
        return None;
    }
    // `None` without a move, and for a move into a missing ending, which proves nothing.
    let should = bitbases.verdict_by_moves(&position)?;
    let name = file.path().display();
    let Some(is) = bitbases.verdict(&position) else {
        return Some(format!("{name}: position {number} has no value"));
    };
    let is_known = is.plies.is_some() && should.plies.is_some();
    let is_right = is.value == should.value && (!is_known || is.plies == should.plies);
    let fault = || format!("{name}: position {number} is \"{is}\", but its moves say \"{should}\"");
    (!is_right).then(fault)
}
