//! What a file says about itself.

use serde::{Deserialize, Serialize};

/// What the positions of a file are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct About {
    /// The name of the game.
    pub variant: String,
    /// The version of the program that has written it.
    pub program: String,
    /// Where they come from.
    pub origin: Origin,
}

impl About {
    /// Of a file that this program writes.
    pub fn new(variant: &str, origin: Origin) -> Self {
        About { variant: variant.to_owned(), program: env!("CARGO_PKG_VERSION").to_owned(), origin }
    }
}

/// What positions are for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Set {
    /// To learn from.
    Training,
    /// To see how well something was learned that they were not learned from.
    Validation,
}

/// Where positions come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Games of the program against itself, each in a block of its own.
    SelfPlay {
        /// What the games are drawn by, together with their numbers.
        seed: u64,
        /// No iteration of a search begins after so many nodes.
        nodes: u64,
        /// The checksum of the weights that the engine played with; `None` for those chosen by hand.
        weights: Option<u32>,
        /// How many random plies a game begins with, at least and at most.
        random_plies: [usize; 2],
        /// The number of the first game.
        first_game: u64,
    },
    /// Positions of many files, each once, in random order.
    Shuffled {
        /// What the order and the games for validation are drawn by.
        seed: u64,
        /// What they are for.
        set: Set,
    },
}
