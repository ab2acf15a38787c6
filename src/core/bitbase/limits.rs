//! The rules' move limits, which may end a game in a draw before it is won.

use std::iter;

use crate::game::BitGame;
use crate::rules::{Ending, Material, Rules, VariantSetup};

use super::slice::Slice;

/// The number of plies that nearly always suffice for the next capture, promotion or win.
const AMPLE_PLIES: usize = 30;

/// The rules' move limits, the limit on king moves first.
#[derive(Clone, Debug)]
pub struct MoveLimits(Vec<Limit>);

/// A move limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub plies: usize,
    /// Whether the shortest win always fits within the limit if the count has not started yet.
    is_loose: bool,
    /// Whether the count restarts after a change of material or, for the limit on king moves, after
    /// a capture or a man move.
    restarts: bool,
}

impl MoveLimits {
    /// The limits in the rules of a variant, for endings of up to `pieces` pieces.
    /// `wins_take_at_most(plies, slice)` returns whether every win in a slice takes at most that
    /// many plies.
    pub fn new(
        setup: &VariantSetup,
        pieces: usize,
        wins_take_at_most: &dyn Fn(usize, Slice) -> bool,
    ) -> MoveLimits {
        let king_moves =
            Limit { plies: usize::from(setup.draws.king_moves), is_loose: false, restarts: true };
        let ending = |ending: &Ending| {
            let plies = usize::from(ending.plies);
            let mut slices = (2..=pieces).flat_map(Slice::all);
            let is_loose = |slice| !applies(ending, slice) || wins_take_at_most(plies, slice);
            Limit { plies, is_loose: slices.all(is_loose), restarts: ending.restarts }
        };
        MoveLimits(iter::once(king_moves).chain(setup.draws.endings.iter().map(ending)).collect())
    }

    /// Whether there is no limit.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|limit| limit.plies == 0)
    }

    /// The limits that have been started, with their counts.
    pub(super) fn started<'a>(
        &'a self,
        counts: &'a Counts,
    ) -> impl Iterator<Item = (&'a Limit, usize)> {
        let all = self.0.iter().zip(counts).filter(|(limit, _)| limit.plies > 0);
        all.filter_map(|(limit, count)| Some((limit, (*count)?)))
    }

    /// Whether a limit has been reached.
    pub(super) fn is_reached(&self, counts: &Counts) -> bool {
        self.started(counts).any(|(limit, count)| count >= limit.plies)
    }

    /// Whether a win in at least `plies` plies is certain to come too late.
    pub(super) fn is_certainly_late(&self, plies: usize, counts: &Counts) -> bool {
        self.started(counts).any(|(limit, count)| !limit.restarts && count + plies > limit.plies)
    }

    /// Whether the shortest win, in `plies` plies, is certain to come before any limit is reached.
    pub(super) fn is_certainly_in_time(&self, plies: usize, counts: &Counts) -> bool {
        self.0.iter().zip(counts).all(|(limit, count)| match count {
            _ if limit.plies == 0 => true,
            Some(count) => count + plies <= limit.plies,
            None => limit.is_loose || plies <= limit.plies,
        })
    }

    /// Whether all counts leave ample time.
    pub(super) fn leave_ample_time(&self, counts: &Counts) -> bool {
        self.started(counts).all(|(limit, count)| count + AMPLE_PLIES <= limit.plies)
    }

    /// Whether the shortest win from the last position of a line, in `plies` plies, is certain to
    /// come before any limit is reached (`Some(true)`) or certain to come too late
    /// (`Some(false)`).
    pub fn is_in_time<R: Rules>(&self, plies: usize, line: &BitGame<R>) -> Option<bool> {
        let counts = line.move_counts();
        if self.is_certainly_late(plies, &counts) {
            return Some(false);
        }
        self.is_certainly_in_time(plies, &counts).then_some(true)
    }
}

/// Whether a limit may apply to the material of a slice.
fn applies(ending: &Ending, slice: Slice) -> bool {
    let Slice { men, kings } = slice;
    let roads = [[false, false], [false, true], [true, false], [true, true]];
    roads.into_iter().any(|main_road| (ending.applies)(Material { men, kings, main_road }))
}

/// The number of plies counted towards each limit; `None` where the count has not started.
pub(super) type Counts = [Option<usize>];
