//! Games of the engine against itself.
//!
//! Game number `n` depends on the settings and on `n` alone: it does not matter how many threads play,
//! nor how often they were interrupted. The games are in files of [`SHARD`] each, in order.

mod player;
mod shards;
mod tally;

pub use shards::{SHARD, run, stored};
pub use tally::Tally;

use std::ops::RangeInclusive;

/// How games are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How many.
    pub games: u64,
    /// No iteration of a search begins after so many nodes; those under way are completed, so that every
    /// score is that of a whole one.
    pub nodes: u64,
    /// The checksum of the weights that the engine plays with; `None` for those chosen by hand.
    pub weights: Option<u32>,
    /// How many random plies a game begins with.
    pub random_plies: RangeInclusive<usize>,
    /// Other seeds, other games.
    pub seed: u64,
}

/// Looks on while games are played.
pub trait Watch: Sync {
    /// A game has been played.
    fn see(&self, game: Tally);

    /// Whether to stop, after the games that are being played.
    fn is_stopped(&self) -> bool;
}
