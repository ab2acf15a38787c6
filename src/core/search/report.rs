//! What a search reports while it runs, and what it returns.

use std::time::Duration;

use crate::board::{BitMove, Move};
use crate::rules::Rules;
use crate::score::Score;

/// Information on one line, sent after each completed depth and whenever the best move changes. Its
/// moves are independent of the board, or bitboard moves within the search.
#[derive(Clone, PartialEq, Debug)]
pub struct Info<M = Move> {
    /// The rank of the line among those requested, 1 for the best.
    pub rank: u32,
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The mean depth of the leaves, in plies.
    pub mean_depth: f64,
    /// The score for the side to move at the root.
    pub score: Score,
    /// Nodes searched so far by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The principal variation; empty if the root has no legal move.
    pub pv: Vec<M>,
}

/// Receives the information of a running search, with bitboard moves.
pub type Sink<'a, R> = &'a mut dyn FnMut(&Info<BitMove<<R as Rules>::Geometry>>);

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult<M = Move> {
    /// The move to play; `None` if the game is over.
    pub mv: Option<M>,
    /// The expected reply, to ponder on.
    pub ponder: Option<M>,
    /// The final information on the best line.
    pub info: Info<M>,
}

impl<M> Info<M> {
    /// The same line with its moves converted.
    pub fn map<N>(&self, form: impl Fn(&M) -> N) -> Info<N> {
        let Info { rank, depth, mean_depth, score, nodes, time, ref pv } = *self;
        Info { rank, depth, mean_depth, score, nodes, time, pv: pv.iter().map(form).collect() }
    }
}

impl<M> SearchResult<M> {
    /// The same result with its moves converted.
    pub fn map<N>(&self, form: impl Fn(&M) -> N) -> SearchResult<N> {
        let SearchResult { mv, ponder, info } = self;
        SearchResult {
            mv: mv.as_ref().map(&form),
            ponder: ponder.as_ref().map(&form),
            info: info.map(&form),
        }
    }
}
