//! Games of the engine against itself.
//!
//! Game number `n` depends only on the settings and on `n`, not on the number of threads or on
//! interruptions. The games are stored in order, in files of [`SHARD`] games each.

mod player;
mod shards;
mod tally;

pub use shards::{SHARD, run, stored};
pub use tally::SampleTally;

use std::ops::RangeInclusive;

/// How games are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlaySettings {
    /// The number of games.
    pub games: u64,
    /// The number of nodes after which a search begins no further iteration. The iteration under
    /// way is completed, so that every score comes from a complete one.
    pub nodes: u64,
    /// The checksum of the engine's weights; `None` for those chosen by hand.
    pub weights: Option<u32>,
    /// The number of random plies at the start of a game.
    pub random_plies: RangeInclusive<usize>,
    /// The random seed.
    pub seed: u64,
}
