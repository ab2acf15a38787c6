//! Search limits (depth, nodes, time), the handle for stopping a search, and the results that a
//! search reports.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::board::{BitMove, Move};
use crate::instant::Instant;
use crate::rules::Rules;
use crate::score::Score;

use super::params::MAX_NODES_PER_SECOND;

/// Limits on one search. The first limit reached ends the search; without limits, the search runs
/// until it is stopped.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// The maximum depth of iterative deepening, in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// No new iteration starts after this many nodes; the current iteration is completed.
    pub soft_nodes: Option<u64>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The game clock, whose time is divided among the remaining moves.
    pub clock: Option<Clock>,
    /// The maximum length of a line, in plies; positions at this distance from the root are
    /// evaluated statically.
    pub plies: Option<u32>,
    /// How captures are treated at depth zero.
    pub quiescence: Quiescence,
    /// The purpose of the search.
    pub mode: Mode,
}

impl Limits {
    /// Limits with only a maximum depth, in plies.
    pub fn depth(plies: u32) -> Limits {
        Limits { depth: Some(plies), ..Limits::default() }
    }

    /// Limits with only a maximum number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Limits with only a time for the move.
    pub fn time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }

    /// Whether no limit is set, so that only a stop ends the search.
    pub fn is_infinite(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.soft_nodes.is_none()
            && self.move_time.is_none()
            && self.clock.is_none()
            && self.plies.is_none()
    }

    /// An upper estimate of the nodes that a search of these limits visits per thread; `u64::MAX` if
    /// nothing limits them.
    pub fn max_nodes(&self) -> u64 {
        if self.mode != Mode::Think {
            return u64::MAX;
        }
        let within = |time: Duration| (time.as_secs_f64() * MAX_NODES_PER_SECOND) as u64;
        let times = [self.move_time, self.clock.map(|clock| clock.remaining)];
        let of_times = times.into_iter().flatten().map(within);
        self.nodes.into_iter().chain(of_times).min().unwrap_or(u64::MAX)
    }

    /// A value XORed into keys, so that searches with different quiescence modes or ply limits do
    /// not share entries in the transposition table.
    pub(super) fn salt(&self) -> u64 {
        let bits = (self.quiescence as u64) << 32 | u64::from(self.plies.unwrap_or(0));
        bits.wrapping_mul(0xd1b5_4a32_d192_ed03)
    }
}

/// The game clock of the side to move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Clock {
    /// Time left, including the increment for this move.
    pub remaining: Duration,
    /// Time added before every move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the time is for the rest of the game.
    pub moves: Option<u32>,
    /// The time that a move is expected to take on this clock beyond its search, as measured by an
    /// [`OverheadEstimate`](super::OverheadEstimate); zero if unknown.
    pub overhead: Duration,
}

/// How captures are treated at depth zero. Modes other than [`Quiescence::Full`] play weaker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Quiescence {
    /// Captures, which are compulsory, are searched until none is left.
    #[default]
    Full,
    /// Captures may be declined: the static evaluation is a lower bound.
    StandPat,
    /// Captures are not searched: the static evaluation is the score.
    Off,
}

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// To choose a move to play.
    #[default]
    Think,
    /// To think on the opponent's time; the clock starts at the ponder-hit.
    Ponder,
    /// To show the best lines: the opening book is not used, and the position is searched even if
    /// only one move is legal.
    Analyze,
}

/// A handle with which other threads stop a search or start its clock. Clones share their state;
/// each search needs a new handle.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    stopped: AtomicBool,
    ponder_hit: OnceLock<Instant>,
    hard_limit: OnceLock<Duration>,
}

impl Control {
    /// A handle for a new search.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the search at once; the search then returns its best move so far.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the search was told to stop.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Tells a ponder search that the expected move was played, which starts its clock.
    pub fn ponder_hit(&self) {
        // Only the first ponder-hit counts.
        let _ = self.0.ponder_hit.set(Instant::now());
    }

    /// The time of the ponder-hit; `None` if there has been none.
    pub fn ponder_hit_at(&self) -> Option<Instant> {
        self.0.ponder_hit.get().copied()
    }

    /// Records the hard limit of the search.
    pub(super) fn set_hard_limit(&self, time: Duration) {
        let _ = self.0.hard_limit.set(time);
    }

    /// The time after which the search stops in the middle of an iteration; `None` before it starts,
    /// and if no search is needed, as for a book move.
    pub fn hard_limit(&self) -> Option<Duration> {
        self.0.hard_limit.get().copied()
    }
}

/// A report on one line of a search, sent after each completed depth and whenever the best move
/// changes. Within the search its moves are bitboard moves ([`BitInfo`]), elsewhere
/// board-independent moves.
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
    /// Time since the search started.
    pub time: Duration,
    /// The principal variation; empty if the root has no legal move.
    pub pv: Vec<M>,
}

/// [`Info`] with bitboard moves.
pub type BitInfo<R> = Info<BitMove<<R as Rules>::Geometry>>;

/// A callback that receives the [`Info`] updates of a running search.
pub type Sink<'a, R> = &'a mut dyn FnMut(&BitInfo<R>);

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult<M = Move> {
    /// The move to play; `None` if the game is over.
    pub mv: Option<M>,
    /// The expected reply, to ponder on.
    pub ponder: Option<M>,
    /// The final [`Info`] on the best line.
    pub info: Info<M>,
}

impl<M> Info<M> {
    /// A copy of this line with its moves converted by `form`.
    pub fn map<N>(&self, form: impl Fn(&M) -> N) -> Info<N> {
        let Info { rank, depth, mean_depth, score, nodes, time, ref pv } = *self;
        Info { rank, depth, mean_depth, score, nodes, time, pv: pv.iter().map(form).collect() }
    }
}

impl<M> SearchResult<M> {
    /// A copy of this result with its moves converted by `form`.
    pub fn map<N>(&self, form: impl Fn(&M) -> N) -> SearchResult<N> {
        let SearchResult { mv, ponder, info } = self;
        SearchResult {
            mv: mv.as_ref().map(&form),
            ponder: ponder.as_ref().map(&form),
            info: info.map(&form),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strictest_limit_bounds_the_nodes() {
        let second = Duration::from_secs(1);
        let of_second = MAX_NODES_PER_SECOND as u64;
        let clock = Some(Clock { remaining: second, ..Clock::default() });
        assert_eq!(Limits::nodes(3_000).max_nodes(), 3_000);
        assert_eq!(Limits::time(second).max_nodes(), of_second);
        assert_eq!(Limits { clock, ..Limits::time(second / 2) }.max_nodes(), of_second / 2);
        assert_eq!(Limits { clock, nodes: Some(7), ..Limits::default() }.max_nodes(), 7);
        for unlimited in [Limits::default(), Limits::depth(9), Limits::time(Duration::MAX)] {
            assert_eq!(unlimited.max_nodes(), u64::MAX);
        }
        // The time of a search on the opponent's time counts from the ponder-hit.
        for mode in [Mode::Ponder, Mode::Analyze] {
            assert_eq!(Limits { mode, ..Limits::time(second) }.max_nodes(), u64::MAX);
        }
    }
}
