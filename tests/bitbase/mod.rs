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

use manoury::bitbase::Value;
use manoury::erased::{Bitbases, Generation, Position};
use manoury::progress::NoProgress;
use manoury::rules::Variant;

/// The generation of the bitbases of a game with distances.
fn generation(variant: Variant, pieces: usize) -> Generation {
    Generation { variant, pieces, has_distances: true }
}

/// Generates the missing bitbases of a game with distances in a folder, and opens them all.
fn made(variant: Variant, folder: &Path, pieces: usize) -> Bitbases {
    generation(variant, pieces).run(folder, &NoProgress).unwrap();
    let mut bitbases = Bitbases::none(variant);
    bitbases.ignore_king_move_limit();
    assert!(bitbases.open(folder, pieces).is_empty());
    bitbases
}

/// The value of a position, if it is known.
fn value(bitbases: &Bitbases, position: &Position) -> Option<Value> {
    bitbases.probe(position).map(|verdict| verdict.value)
}
