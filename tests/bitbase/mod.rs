//! Bitbases: generated, stored and probed, against tables of known counts and positions and a plain
//! solver.

mod cli;
mod counts;
mod files;
mod hyperqueue;
mod in_time;
mod king_runs;
mod plain;
mod program;
mod slices;
mod values;

use std::path::Path;

use manoury::bitbase::{SolveWatch, Value};
use manoury::erased::{Bitbases, Generation, Position};
use manoury::rules::Variant;

/// Lets the work run to its end.
struct Unwatched;

impl SolveWatch for Unwatched {
    fn advance(&self, _: u64) {}

    fn is_stopped(&self) -> bool {
        false
    }
}

/// The generation of the bitbases of a game with distances.
fn generation(variant: Variant, pieces: usize) -> Generation {
    Generation { variant, pieces, has_distances: true }
}

/// Generates the missing bitbases of a game with distances in a folder, and opens them all.
fn made(variant: Variant, folder: &Path, pieces: usize) -> Bitbases {
    generation(variant, pieces).run(folder, &Unwatched).unwrap();
    let mut bitbases = Bitbases::none(variant);
    bitbases.ignore_king_move_limit();
    assert!(bitbases.open(folder, pieces).is_empty());
    bitbases
}

/// The value of a position, if it is known.
fn value(bitbases: &Bitbases, position: &Position) -> Option<Value> {
    bitbases.verdict(position).map(|verdict| verdict.value)
}
