//! Distances: the number of plies from a won or lost position to the end of the game with best
//! play, that is, if the winner plays the shortest win and the loser the longest loss.
//!
//! The values are known, so retrograde analysis finds the positions of each distance ply by ply:
//! every win that can move to a loss in n plies has a distance of at most n + 1; a loss has a
//! distance of n + 1 when all its moves lead to wins in at most n.

use std::ops::Range;

use crate::board::{Geometry, MoveList};
use crate::parallel;
use crate::position::Pieces;
use crate::progress::Progress;
use crate::rules::Rules;

use super::codec::{BLOCK, Packed, pack};
use super::index::Index;
use super::retrograde::{
    MoveSource, RulesOf, SolveError, each_chunk, each_predecessor, retain_promotions,
    with_quiet_moves,
};
use super::slice::Slice;
use super::state::Distances;
use super::tables::{DistanceTable, DistanceTables, ValueTable, ValueTables};
use super::value::{NO_DISTANCE, Value};

/// The parts of the distance solver that depend on the rules of a variant.
pub(super) trait DistanceRules: Sync {
    /// Sets the distance of each position in `numbers` that is decided by moves to other endings.
    /// On failure, the error is the missing slice.
    fn initialise(&self, solver: &DistanceSolver<'_>, numbers: Range<u64>) -> Result<(), Slice>;

    /// For each position in a chunk that has the given distance, updates its predecessors in the
    /// mirrored slice.
    fn propagate(
        &self,
        solver: &DistanceSolver<'_>,
        chunk: usize,
        plies: u8,
        mirror: &DistanceSolver<'_>,
    ) -> Result<(), Slice>;

    /// Appends half the distance of each position in `numbers`; `None` for draws and for positions
    /// with captures.
    fn halve(&self, table: &DistanceTable, numbers: Range<u64>, halves: &mut Vec<Option<u8>>);
}

/// Computes the distances of a slice and its mirror on rayon's threads. Returns two results, or one
/// if the slice is its own mirror. `values` must contain both slices; `distances` must contain
/// every slice with fewer pieces, and those with the same number of pieces and fewer men.
pub(super) fn solve_distances(
    rules: &dyn DistanceRules,
    slice: Slice,
    values: &ValueTables,
    distances: &DistanceTables,
    progress: &dyn Progress,
) -> Result<Vec<DistanceTable>, SolveError> {
    let slices = slice.with_mirror().into_iter();
    let solvers = slices.map(|slice| DistanceSolver::new(slice, values, distances));
    let solvers = solvers.collect::<Result<Vec<_>, _>>()?;
    for solver in &solvers {
        each_chunk(solver.index, progress, &|numbers| rules.initialise(solver, numbers))?;
    }
    for plies in 0..NO_DISTANCE {
        if solvers.iter().all(|solver| solver.found.longest() < plies) {
            break;
        }
        if progress.is_stopped() {
            return Err(SolveError::Stopped);
        }
        for (solver, mirror) in solvers.iter().zip(solvers.iter().rev()) {
            solver.propagate(rules, plies, mirror)?;
        }
    }
    solvers.into_iter().map(|solver| solver.finish(progress)).collect()
}

/// The compressed distances of a slice, as half the number of plies: the value determines whether
/// the number is odd. Draws and positions with captures have no stored distance.
pub(super) fn pack_distances(rules: &dyn DistanceRules, table: &DistanceTable) -> Packed {
    let plies = table.plies().iter().filter(|plies| **plies != NO_DISTANCE);
    let values = usize::from(plies.max().unwrap_or(&0) / 2) + 1;
    let len = table.index().len();
    pack(len, values, &|start, halves| {
        rules.halve(table, start..len.min(start + BLOCK), halves);
    })
}

/// A slice being solved for distances.
pub(super) struct DistanceSolver<'a> {
    index: &'a Index,
    values: &'a ValueTable,
    /// The distances of other endings.
    others: &'a DistanceTables,
    /// The distances found so far.
    found: Distances,
}

impl<'a> DistanceSolver<'a> {
    fn new(
        slice: Slice,
        values: &'a ValueTables,
        others: &'a DistanceTables,
    ) -> Result<Self, SolveError> {
        let values = values.get(slice).ok_or(SolveError::Missing(slice))?;
        let index = values.index();
        let found = Distances::new(index.len()).ok_or(SolveError::Memory(slice))?;
        Ok(DistanceSolver { index, values, others, found })
    }

    /// The distance of a position according to its moves to other endings; [`NO_DISTANCE`] if it
    /// depends on moves within the ending. A shorter win may still be found later.
    #[inline(always)]
    fn initial_distance<G: Geometry>(
        &self,
        source: &dyn MoveSource<G>,
        pieces: &Pieces<G>,
        value: Value,
        moves: &mut MoveList<G>,
    ) -> Result<u8, Slice> {
        moves.clear();
        source.captures(pieces, moves);
        if !moves.is_empty() {
            return self.others.best(pieces, moves, value);
        }
        if !pieces.has_man_before_promotion() {
            return Ok(if source.has_quiet(pieces) { NO_DISTANCE } else { 0 });
        }
        source.quiets(pieces, moves);
        if moves.is_empty() {
            return Ok(0);
        }
        let others = retain_promotions(pieces, moves);
        if value == Value::Loss && others > 0 {
            return Ok(NO_DISTANCE);
        }
        self.others.best(pieces, moves, value)
    }

    /// For each position of this slice that has the given distance, updates its predecessors in the
    /// mirrored slice.
    fn propagate(
        &self,
        rules: &dyn DistanceRules,
        plies: u8,
        mirror: &DistanceSolver<'_>,
    ) -> Result<(), SolveError> {
        parallel::try_each(self.index.chunks(), &|chunk| {
            if !self.found.may_have(chunk, plies) {
                return Ok(());
            }
            rules.propagate(self, chunk, plies, mirror).map_err(SolveError::Missing)
        })
    }

    /// The distance after the move that delays a loss the longest; [`NO_DISTANCE`] if the distance
    /// after some move within the ending is not yet known to be at most `plies`.
    #[inline(never)]
    fn longest_loss<G: Geometry>(
        &self,
        source: &dyn MoveSource<G>,
        before: &Pieces<G>,
        plies: u8,
    ) -> Result<u8, Slice> {
        let mut moves = MoveList::new();
        source.quiets(before, &mut moves);
        let mut longest = 0;
        for &mv in &moves {
            let after = before.after(mv, false);
            let is_promotion = before.is_promotion(&mv);
            let then = match is_promotion {
                true => self.others.plies(&after)?,
                false => self.found.get(self.index.number(&after)),
            };
            if then > plies && !is_promotion {
                return Ok(NO_DISTANCE);
            }
            longest = longest.max(then);
        }
        Ok(longest)
    }

    /// The table of distances, once every won or lost position has one.
    fn finish(self, progress: &dyn Progress) -> Result<DistanceTable, SolveError> {
        progress.advance(self.index.len());
        let is_consistent = |number: u64| {
            (self.found.get(number) == NO_DISTANCE) == (self.values.value(number) == Value::Draw)
        };
        parallel::try_each(self.index.chunks(), &|chunk| {
            let is_complete = self.index.chunk(chunk).all(is_consistent);
            if is_complete { Ok(()) } else { Err(SolveError::Long(self.index.slice())) }
        })?;
        Ok(DistanceTable::new(self.index.clone(), self.found.into_plies()))
    }
}

impl<R: Rules> DistanceRules for RulesOf<R> {
    fn initialise(&self, solver: &DistanceSolver<'_>, numbers: Range<u64>) -> Result<(), Slice> {
        initialise::<R::Geometry>(self, solver, numbers)
    }

    fn propagate(
        &self,
        solver: &DistanceSolver<'_>,
        chunk: usize,
        plies: u8,
        mirror: &DistanceSolver<'_>,
    ) -> Result<(), Slice> {
        with_quiet_moves!(R, propagate(self, solver, chunk, plies, mirror))
    }

    fn halve(&self, table: &DistanceTable, numbers: Range<u64>, halves: &mut Vec<Option<u8>>) {
        halve::<R::Geometry>(self, table, numbers, halves);
    }
}

/// See [`DistanceRules::initialise`].
fn initialise<G: Geometry>(
    source: &dyn MoveSource<G>,
    solver: &DistanceSolver<'_>,
    numbers: Range<u64>,
) -> Result<(), Slice> {
    let mut cursor = solver.index.cursor::<G>(numbers.start);
    let mut moves = MoveList::new();
    for number in numbers {
        let value = solver.values.value(number);
        if value != Value::Draw {
            let plies = solver.initial_distance(source, &cursor.pieces(), value, &mut moves)?;
            solver.found.lower(number, plies);
        }
        cursor.advance_inlined();
    }
    Ok(())
}

/// See [`DistanceRules::propagate`].
fn propagate<G: Geometry, const FLYING: bool, const ORTHOGONAL: bool>(
    source: &dyn MoveSource<G>,
    solver: &DistanceSolver<'_>,
    chunk: usize,
    plies: u8,
    mirror: &DistanceSolver<'_>,
) -> Result<(), Slice> {
    let value = Value::of_distance(plies, solver.others.without_move());
    for number in solver.index.chunk(chunk).filter(|&number| solver.found.get(number) == plies) {
        let mut result = Ok(());
        let pieces = solver.index.pieces::<G>(number);
        each_predecessor::<G, FLYING, ORTHOGONAL>(&pieces, mirror.index, |before, number| {
            // Skip predecessors whose distance is already as low, and those with another value:
            // they have a better move or must capture.
            if mirror.found.get(number) <= plies + 1 || mirror.values.value(number) != -value {
                return;
            }
            if value == Value::Loss {
                if !source.has_capture(before) {
                    mirror.found.lower(number, plies + 1);
                }
            } else if mirror.found.get(number) == NO_DISTANCE {
                match solver.longest_loss(source, before, plies) {
                    Ok(longest) => mirror.found.lower(number, longest.saturating_add(1)),
                    Err(slice) => result = Err(slice),
                }
            }
        });
        result?;
    }
    Ok(())
}

/// See [`DistanceRules::halve`].
fn halve<G: Geometry>(
    source: &dyn MoveSource<G>,
    table: &DistanceTable,
    numbers: Range<u64>,
    halves: &mut Vec<Option<u8>>,
) {
    let mut cursor = table.index().cursor::<G>(numbers.start);
    for number in numbers {
        let plies = table.plies()[number as usize];
        let is_stored = plies != NO_DISTANCE && !source.has_capture(&cursor.pieces());
        halves.push(is_stored.then_some(plies / 2));
        cursor.advance();
    }
}
