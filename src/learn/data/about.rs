//! The description of a file of samples in its header.

use serde::{Deserialize, Serialize};

use crate::rules::Variant;

/// What a file of samples contains.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SamplesAbout {
    /// The name of the game.
    pub variant: String,
    /// The version of the program that wrote the file.
    pub program: String,
    /// The origin of the samples.
    pub origin: Origin,
}

impl SamplesAbout {
    /// The description of a file that this program writes.
    pub(super) fn new(variant: Variant, origin: Origin) -> Self {
        let (variant, program) = (variant.name().to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        SamplesAbout { variant, program, origin }
    }
}

/// The purpose of a set of samples.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Set {
    /// For training.
    Training,
    /// Held out from training, to measure how well the network generalizes.
    Validation,
}

/// The origin of the samples of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Games of the program against itself, a block for each.
    SelfPlay {
        /// The random seed; that of a game also depends on its number.
        seed: u64,
        /// The number of nodes after which a search begins no further iteration.
        nodes: u64,
        /// The checksum of the engine's weights; `None` for those chosen by hand.
        weights: Option<u32>,
        /// The minimum and maximum number of random plies at the start of a game.
        random_plies: [usize; 2],
        /// The number of the first game.
        first_game: u64,
    },
    /// Samples of many files without duplicates, in random order.
    Shuffled {
        /// The random seed of the order and of the choice of validation games.
        seed: u64,
        /// The purpose of the samples.
        set: Set,
    },
}
