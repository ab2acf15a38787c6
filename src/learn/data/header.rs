//! The header of a sample file.

use serde::{Deserialize, Serialize};

use crate::rules::Variant;

/// The description of a sample file, stored in its header.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SamplesHeader {
    /// The name of the variant.
    pub variant: String,
    /// The version of the program that wrote the file.
    pub program: String,
    /// The origin of the samples.
    pub origin: Origin,
}

impl SamplesHeader {
    /// The header of a new file.
    pub(super) fn new(variant: Variant, origin: Origin) -> Self {
        let (variant, program) = (variant.name().to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        SamplesHeader { variant, program, origin }
    }
}

/// The part of a data set to which samples belong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// For training.
    Training,
    /// Held out from training, to measure how well the network generalizes.
    Validation,
}

/// The origin of the samples in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Self-play games, one block per game.
    SelfPlay {
        /// The random seed of the run. The seed of each game is derived from this seed and the
        /// game's number.
        seed: u64,
        /// The soft node limit of a search: no new iteration starts after this many nodes.
        nodes: u64,
        /// The checksum of the engine's weights; `None` for the hand-crafted weights.
        weights: Option<u32>,
        /// Maximum number of pieces in the bitbases of a folder; `None` if only the embedded ones
        /// were used, as in older files.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bitbase_pieces: Option<u32>,
        /// The minimum and maximum number of random plies at the start of a game.
        random_plies: [usize; 2],
        /// The maximum absolute score of an opening, in hundredths of a man.
        #[serde(default = "older_opening_score")]
        max_opening_score: i16,
        /// The number of the first game.
        first_game: u64,
    },
    /// Positions selected from self-play games and searched again, one block per game.
    Relabelled {
        /// The origin of the games.
        games: Box<Origin>,
        /// How the positions were selected and searched.
        by: Relabelling,
    },
    /// Samples from several files, shuffled and without duplicates.
    Shuffled {
        /// The random seed for the order and for the choice of validation games.
        seed: u64,
        /// Whether the samples are for training or validation.
        set: Split,
        /// Of the samples with at most a third of the pieces, the percentage that was kept.
        #[serde(default = "older_late_percent")]
        late_percent: u8,
        /// The weight of the rest of a game in a score, for a distance of one ply, in percent.
        #[serde(default)]
        lambda_percent: u8,
        /// The source games, in the order in which they were read: if a position occurs several
        /// times, its last sample is kept. Empty in older files.
        #[serde(default)]
        sources: Vec<Source>,
    },
}

/// The maximum opening score for files whose header does not contain it.
fn older_opening_score() -> i16 {
    100
}

/// The percentage of late samples for files whose header does not contain it.
fn older_late_percent() -> u8 {
    100
}

/// Games with the same origin.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// The number of games, including games without samples.
    pub games: u64,
    /// The origin of the first file of these games.
    pub origin: Origin,
}

impl Origin {
    /// The seed of the games in a file, and the number of the first game; `None` for shuffled
    /// samples.
    pub fn games(&self) -> Option<(u64, u64)> {
        match self {
            Origin::SelfPlay { seed, first_game, .. } => Some((*seed, *first_game)),
            Origin::Relabelled { games, .. } => games.games(),
            Origin::Shuffled { .. } => None,
        }
    }

    /// The origin of the next file in the same folder, given the number of games in this file.
    pub(in crate::learn) fn next(&self, games: u64) -> Origin {
        let mut next = self.clone();
        match &mut next {
            Origin::SelfPlay { first_game, .. } => *first_game += games,
            Origin::Relabelled { games: of, .. } => **of = of.next(games),
            Origin::Shuffled { .. } => {}
        }
        next
    }
}

/// How positions are selected from games and searched again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Relabelling {
    /// The soft node limit of a search: no new iteration starts after this many nodes.
    pub nodes: u64,
    /// The checksum of the engine's weights; `None` for the hand-crafted weights.
    pub weights: Option<u32>,
    /// Maximum number of pieces in the bitbases used.
    pub bitbase_pieces: u32,
    /// The percentages of positions to search again, by kind.
    pub shares: RelabelShares,
}

/// The percentages of positions to search again, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RelabelShares {
    /// Positions with kings.
    pub kings: u8,
    /// Positions without kings, with at most [`RelabelShares::FEW`] men.
    pub few: u8,
    /// Positions without kings, with more than [`RelabelShares::FEW`] men.
    pub many: u8,
}

impl RelabelShares {
    /// Maximum number of men in a position with few men.
    pub const FEW: usize = 16;
}
