//! What a search tells while it runs, and what it returns.

use std::time::Duration;

use crate::board::{Geometry, Move};
use crate::score::Score;

/// A line of thought: sent after each completed depth and when the best move changes.
#[derive(Clone, PartialEq, Debug)]
pub struct Info<G: Geometry> {
    /// The place of this line among those asked for, 1 for the best.
    pub rank: u32,
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The mean depth of the leaves, in plies.
    pub mean_depth: f64,
    /// The score for the side to move at the root.
    pub score: Score,
    /// Nodes searched so far, by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The principal variation; empty if the root has no move.
    pub pv: Vec<Move<G>>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Best<G: Geometry> {
    /// The move to play, `None` if the game is over.
    pub mv: Option<Move<G>>,
    /// The answer that is expected.
    pub ponder: Option<Move<G>>,
    /// The last completed information.
    pub info: Info<G>,
}
