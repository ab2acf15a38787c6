//! Data sets: the samples of many games without duplicates, in random order, with some games held
//! out for validation.
//!
//! Samples are dealt into buckets by the keys of their positions. Equal positions fall into the
//! same bucket, so each bucket can be deduplicated and shuffled on its own; and since keys are as
//! good as random numbers, the buckets one after another are a random order of all samples. Only a
//! few buckets have to be in memory at a time.

mod deal;
mod games;
mod make;
mod shuffle;
mod sources;
mod statistics;

pub use games::{GameAbout, each_game, files};
pub use make::{MadeDataset, make, positions};
pub use statistics::GameStatistics;

use crate::erased::Position;
use crate::learn::data::{Sample, Set};
use crate::rules::Variant;

/// How a data set is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DatasetSettings {
    /// The random seed of the order and of the choice of validation games.
    pub seed: u64,
    /// The share of the games for validation, 0 to 1.
    pub validation: f64,
}

/// The file name of a bucket.
fn name(set: Set, bucket: usize) -> String {
    let set = match set {
        Set::Training => "training",
        Set::Validation => "validation",
    };
    format!("{set}-{bucket:05}.samples")
}

/// The position of a sample in the form that duplicates share: with White to move, after a half
/// turn of the board and a swap of colours if Black is. `None` if the setup is not a position,
/// which readers of files exclude.
fn canonical(variant: Variant, sample: &Sample) -> Option<Position> {
    Position::from_setup(variant, &sample.setup.with_white_to_move(variant.grid())).ok()
}
