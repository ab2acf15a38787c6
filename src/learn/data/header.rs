//! The header of a file of samples.

use serde::{Deserialize, Serialize};

use crate::rules::Variant;

/// The contents of a file of samples.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SamplesHeader {
    /// The name of the game.
    pub variant: String,
    /// The version of the program that wrote the file.
    pub program: String,
    /// The origin of the samples.
    pub origin: Origin,
}

impl SamplesHeader {
    /// The header of a file that this program writes.
    pub(super) fn new(variant: Variant, origin: Origin) -> Self {
        let (variant, program) = (variant.name().to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        SamplesHeader { variant, program, origin }
    }
}

/// The split of a data set that samples belong to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// For training.
    Training,
    /// Held out from training, to measure how well the network generalizes.
    Validation,
}

/// The origin of the samples of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Games of the program against itself, one block per game.
    SelfPlay {
        /// The random seed; that of a game also depends on its number.
        seed: u64,
        /// The number of nodes after which a search starts no further iteration.
        nodes: u64,
        /// The checksum of the engine's weights; `None` for those chosen by hand.
        weights: Option<u32>,
        /// The minimum and maximum number of random plies at the start of a game.
        random_plies: [usize; 2],
        /// The number of the first game.
        first_game: u64,
    },
    /// Positions chosen from such games and searched again, one block per game.
    Relabelled {
        /// The origin of the games.
        games: Box<Origin>,
        /// How they were searched.
        by: Relabelling,
    },
    /// Samples of many files without duplicates, in random order.
    Shuffled {
        /// The random seed of the order and of the choice of validation games.
        seed: u64,
        /// The purpose of the samples.
        set: Split,
        /// The games they are from, in order: of equal positions the last one counts. Empty in older
        /// files.
        #[serde(default)]
        sources: Vec<Source>,
    },
}

/// Games of the same origin.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// The number of games, those without a sample included.
    pub games: u64,
    /// Their origin, from that of their first file.
    pub origin: Origin,
}

impl Origin {
    /// The seed of the games in a file, and the number of the first; `None` if it has no games.
    pub fn games(&self) -> Option<(u64, u64)> {
        match self {
            Origin::SelfPlay { seed, first_game, .. } => Some((*seed, *first_game)),
            Origin::Relabelled { games, .. } => games.games(),
            Origin::Shuffled { .. } => None,
        }
    }

    /// The origin of the next file in the same folder, after the `games` games of this one.
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

/// How positions of games are chosen and searched again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Relabelling {
    /// The number of nodes after which a search starts no further iteration.
    pub nodes: u64,
    /// The checksum of the engine's weights; `None` for those chosen by hand.
    pub weights: Option<u32>,
    /// Maximum number of pieces of positions that were looked up in bitbases.
    pub bitbase_pieces: u32,
    /// Which positions are searched.
    pub shares: RelabelShares,
}

/// The shares of positions that are searched again, by kind, in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RelabelShares {
    /// Positions with kings.
    pub kings: u8,
    /// Positions of at most [`RelabelShares::FEW`] men.
    pub few: u8,
    /// Positions of more men.
    pub many: u8,
}

impl RelabelShares {
    /// Maximum number of pieces of an ending of men.
    pub const FEW: usize = 16;
}
