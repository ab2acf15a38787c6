//! The state of one searching thread.

use crate::game::Game;
use crate::rules::Rules;
use crate::score::Score;
use crate::tt::Table;

use super::clock::Stopwatch;
use super::history::History;
use super::limits::Control;
use super::params::NODES_PER_CHECK;
use super::variations::Variations;

/// What ends a search from outside.
pub(super) struct Brake<'a> {
    /// The signals of other threads.
    pub(super) control: &'a Control,
    /// The time.
    pub(super) stopwatch: Stopwatch,
    /// The greatest number of nodes.
    pub(super) nodes: u64,
}

/// The state of one searching thread.
pub(super) struct Worker<'a, R: Rules> {
    /// The game, then the moves of the line that is searched.
    pub(super) line: Game<R>,
    /// What is known about positions.
    pub(super) tt: &'a Table,
    /// What is known about quiet moves.
    pub(super) history: History,
    /// The best moves found from each ply of the line on.
    pub(super) variations: Variations<R::Geometry>,
    brake: Brake<'a>,
    is_stopped: bool,
    nodes: u64,
    leaves: u64,
    leaf_plies: u64,
}

impl<'a, R: Rules> Worker<'a, R> {
    /// A worker that will search the last position of a game.
    pub(super) fn new(game: &Game<R>, tt: &'a Table, brake: Brake<'a>) -> Self {
        Worker {
            line: game.clone(),
            tt,
            history: History::new::<R::Geometry>(),
            variations: Variations::new(),
            brake,
            is_stopped: false,
            nodes: 0,
            leaves: 0,
            leaf_plies: 0,
        }
    }

    /// Counts a node at a distance from the root; returns `false`, also from then on, if a limit
    /// does not let the search go on.
    #[inline(always)]
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        self.variations.clear(ply);
        if self.nodes >= self.brake.nodes
            || (self.nodes.is_multiple_of(NODES_PER_CHECK) && self.is_braked())
        {
            self.is_stopped = true;
        } else {
            self.nodes += 1;
        }
        !self.is_stopped
    }

    #[cold]
    fn is_braked(&self) -> bool {
        let Brake { control, stopwatch, .. } = &self.brake;
        // The first nodes are free, so that there is always something to tell.
        self.nodes > 0 && (control.is_stopped() || stopwatch.is_over(control))
    }

    /// Counts the node as a leaf, for the mean depth; returns its score.
    #[inline(always)]
    pub(super) fn leaf(&mut self, ply: usize, score: Score) -> Score {
        self.leaves += 1;
        self.leaf_plies += ply as u64;
        score
    }

    /// Whether a limit has ended the search.
    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Nodes searched.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The mean distance of the leaves from the root.
    pub(super) fn mean_depth(&self) -> f64 {
        self.leaf_plies as f64 / self.leaves.max(1) as f64
    }

    /// What ends the search.
    pub(super) fn brake(&self) -> &Brake<'a> {
        &self.brake
    }
}
