//! What a search may use: depth, nodes, time; and how it is told to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The limits of one search. Several hold together: the first one reached ends the search. Without
/// any it goes on until it is stopped.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// The greatest depth of iterative deepening, in plies.
    pub depth: Option<u32>,
    /// The greatest number of nodes.
    pub nodes: Option<u64>,
    /// After so many nodes no iteration begins; the one that is under way is completed.
    pub soft_nodes: Option<u64>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The game clock, to divide among the moves to come.
    pub clock: Option<Clock>,
    /// What the search is for.
    pub mode: Mode,
}

impl Limits {
    /// Whether nothing but a stop ends the search.
    pub fn is_infinite(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.soft_nodes.is_none()
            && self.move_time.is_none()
            && self.clock.is_none()
    }
}

/// A game clock of the side to move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Clock {
    /// The time left, the increment of this move included.
    pub remaining: Duration,
    /// Added before every move.
    pub increment: Duration,
    /// Moves until the time control, `None` for the rest of the game.
    pub moves: Option<u32>,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// To play a move.
    #[default]
    Think,
    /// To think while the opponent does: clocks start at the ponder-hit.
    Ponder,
    /// To show the best lines: an only move is searched too, the book is not used.
    Analyze,
}

/// The handle by which another thread ends a search, or starts its clock. Clones are the same
/// handle; every search has its own.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    stopped: AtomicBool,
    ponder_hit: OnceLock<Instant>,
}

impl Control {
    /// A handle for a new search.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells the search to end at once with the best move it has.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the search was told to end.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Tells a ponder search that the expected move was played: its clock starts now.
    pub fn ponder_hit(&self) {
        // A second ponder-hit changes nothing.
        let _ = self.0.ponder_hit.set(Instant::now());
    }

    /// When the ponder-hit came.
    pub fn ponder_hit_at(&self) -> Option<Instant> {
        self.0.ponder_hit.get().copied()
    }
}
