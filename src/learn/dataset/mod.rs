//! Sets of positions to learn from, made of the games of many files: each position once, in random
//! order, some games set apart for validation.
//!
//! Positions are dealt into buckets by their keys. Equal ones come into the same bucket, so each bucket
//! can be cleared of doubles and shuffled by itself; and since keys are as good as random numbers, the
//! buckets one after the other are a random order of all positions. No more than a few buckets need to
//! be in memory.

mod deal;
mod games;
mod make;
mod shuffle;
mod statistics;

pub use games::{each_game, files};
pub use make::{Made, make, positions};
pub use statistics::Statistics;

use crate::learn::data::{Sample, Set};
use crate::position::{Pieces, Position};
use crate::rules::Rules;

/// What a set is made by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// What the order and the games for validation are drawn by.
    pub seed: u64,
    /// The share of the games that are for validation, 0 to 1.
    pub validation: f64,
}

/// Looks on while sets are made.
pub trait Watch: Sync {
    /// So many more positions have been read.
    fn advance(&self, positions: u64);

    /// Whether to stop.
    fn is_stopped(&self) -> bool;
}

/// The name of a file of a set.
fn name(set: Set, bucket: usize) -> String {
    let set = match set {
        Set::Training => "training",
        Set::Validation => "validation",
    };
    format!("{set}-{bucket:05}.samples")
}

/// The position of a sample with White to move: one that differs by a half turn and the colours is the
/// same. `None` if there is no such position; no file has such samples.
fn position<R: Rules>(sample: &Sample<R::Geometry>) -> Option<Position<R>> {
    let position = sample.setup.position::<R>().ok()?;
    Some(Pieces::of(&position).position())
}
