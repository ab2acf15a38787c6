//! `manoury bitbase verify`: whether bitbases are sound.

use std::io::{self, Write};

use clap::Args;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use serde::Serialize;

use crate::bitbase::{Bitbases, Content, File};
use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::movegen;
use crate::rules::{Rules, VariantVisitor};

use super::place::Place;

/// Check bitbases: checksums, and positions, with their distances, against what their moves lead to
///
/// Prints a line for each ending with a fault; exit code 1 if there is one. The last line is
/// `slices=N positions=N faults=N`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    game: GameArgument,
    /// How many positions of each ending to compare, drawn by chance
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    positions: u64,
    /// What the chance begins with
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// One JSON object an ending: variant, slice, file, checksum, positions (that were compared) and
    /// fault (null if there is none)
    #[arg(long)]
    json: bool,
}

/// What was found out about an ending.
#[derive(Serialize)]
struct Finding {
    variant: &'static str,
    slice: String,
    file: String,
    checksum: String,
    positions: u64,
    fault: Option<String>,
}

/// Checks and prints.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.game.variant.visit(Verifier(arguments))
}

struct Verifier<'a>(&'a Arguments);

impl VariantVisitor for Verifier<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let bitbases = self.0.place.open::<R>()?;
        let files: Vec<_> = bitbases.files(Content::Values).collect();
        let findings = files.into_par_iter().map(|file| self.check(file, &bitbases));
        let findings: Vec<_> = findings.collect();
        let mut output = io::stdout().lock();
        for finding in &findings {
            match &finding.fault {
                _ if self.0.json => writeln!(output, "{}", serde_json::to_string(finding)?)?,
                Some(fault) => writeln!(output, "{fault}")?,
                None => {}
            }
        }
        let faults = findings.iter().filter(|finding| finding.fault.is_some()).count();
        let positions: u64 = findings.iter().map(|finding| finding.positions).sum();
        if !self.0.json {
            writeln!(output, "slices={} positions={positions} faults={faults}", findings.len())?;
        }
        match faults {
            0 => Ok(()),
            _ => Err(Error::No(format!("{faults} of {} endings have a fault", findings.len()))),
        }
    }
}

impl Verifier<'_> {
    fn check<R: Rules>(&self, file: &File<R>, bitbases: &Bitbases<R>) -> Finding {
        let slice = file.index().slice();
        let files = [Some(file), bitbases.file(slice, Content::Distances)];
        let mut finding = Finding {
            variant: R::VARIANT.name(),
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
        let mut random = SmallRng::seed_from_u64(self.0.seed);
        let few = file.index().len() <= self.0.positions;
        for count in 0..file.index().len().min(self.0.positions) {
            if finding.fault.is_some() {
                break;
            }
            let number = if few { count } else { random.random_range(0..file.index().len()) };
            finding.fault = compare(number, file, bitbases);
            finding.positions += 1;
        }
        finding
    }
}

/// What is wrong with a position that has no capture to make: what is stored about it is not what its
/// moves say.
fn compare<R: Rules>(number: u64, file: &File<R>, bitbases: &Bitbases<R>) -> Option<String> {
    let position = file.index().pieces(number).position::<R>();
    let moves = movegen::legal_moves(&position);
    if moves.is_empty() || movegen::has_capture(&position) {
        return None;
    }
    // A move into an ending that is not there proves nothing.
    let should = bitbases.verdict_by(&position, &moves)?;
    let name = file.path().display();
    let Some(is) = bitbases.verdict(&position) else {
        return Some(format!("{name}: position {number} has no value"));
    };
    let is_known = is.plies.is_some() && should.plies.is_some();
    let is_right = is.value == should.value && (!is_known || is.plies == should.plies);
    let fault = || format!("{name}: position {number} is \"{is}\", but its moves say \"{should}\"");
    (!is_right).then(fault)
}
