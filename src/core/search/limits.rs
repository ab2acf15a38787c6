//! The limits of a search (depth, nodes, time) and the handle to stop it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::instant::Instant;

/// The limits of one search. All apply together: the first one reached ends the search. Without any
/// the search runs until it is stopped.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// The maximum depth of iterative deepening, in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// No new iteration starts past this many nodes; the one under way is completed.
    pub soft_nodes: Option<u64>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The game clock, to be divided among the moves to come.
    pub clock: Option<Clock>,
    /// The maximum length of a line, in plies: positions there get the static evaluation.
    pub plies: Option<u32>,
    /// How captures are treated at depth zero.
    pub quiescence: Quiescence,
    /// What the search is for.
    pub mode: Mode,
}

impl Limits {
    /// Whether only a stop ends the search.
    pub fn is_infinite(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.soft_nodes.is_none()
            && self.move_time.is_none()
            && self.clock.is_none()
            && self.plies.is_none()
    }

    /// XORed into keys: a search that sees less has its own entries in the transposition table.
    pub(super) fn salt(&self) -> u64 {
        let sight = (self.quiescence as u64) << 32 | u64::from(self.plies.unwrap_or(0));
        sight.wrapping_mul(0xd1b5_4a32_d192_ed03)
    }
}

/// The game clock of the side to move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Clock {
    /// Time left, this move's increment included.
    pub remaining: Duration,
    /// Added before every move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the time is for the rest of the game.
    pub moves: Option<u32>,
}

/// How captures are treated at depth zero; less than [`Quiescence::Full`] makes for weaker play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Quiescence {
    /// Captures, being forced, are followed to the end.
    #[default]
    Full,
    /// Captures may be declined: the static evaluation is a lower bound.
    StandPat,
    /// No captures: the static evaluation is the score.
    Off,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Playing a move.
    #[default]
    Think,
    /// Thinking on the opponent's time: clocks start at the ponder-hit.
    Ponder,
    /// Showing the best lines: an only move is searched too, and the book is not used.
    Analyze,
}

/// A handle for other threads to stop a search or to start its clock. Clones share it; every search
/// has its own.
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

    /// Stops the search at once; it returns the best move so far.
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

    /// When the ponder-hit came; `None` if it has not.
    pub fn ponder_hit_at(&self) -> Option<Instant> {
        self.0.ponder_hit.get().copied()
    }
}
