//! Distances: the plies to the end of the game from a won or lost position with best play, where
//! the winner takes the shortest way and the loser the longest.
//!
//! The values are known, so retrograde analysis finds the positions of each distance ply by ply:
//! every win that can move to a loss in n plies has a distance of at most n + 1; a loss has a
//! distance of n + 1 when all its moves lead to wins in at most n.

mod cells;
mod table;

pub(super) use cells::NONE;
pub use table::{DistanceTable, DistanceTables};

use std::ops::Range;

use crate::board::{Geometry, MoveList};
use crate::movegen::{self, outlined};
use crate::parallel;
use crate::progress::Progress;
use crate::rules::Rules;

use super::chunks::each_chunk;
use super::codec::{BLOCK, Packed, pack};
use super::error::SolveError;
use super::index::Index;
use super::rules_of::RulesOf;
use super::slice::Slice;
use super::table::{ValueTable, ValueTables};
use super::unmoves::each_unmove;
use super::value::{Value, without_move};
use crate::position::Pieces;
use cells::Cells;

/// What the computation of distances asks of the rules of a game, a chunk of positions at a time.
pub(in crate::bitbase) trait DistanceRules<G: Geometry>: Sync {
    /// Sets the distances of positions, by their numbers, that other endings decide.
    fn look(&self, half: &Half<'_, G>, numbers: Range<u64>) -> Result<(), Slice>;

    /// Propagates the positions of a chunk with a given distance to their predecessors in the other
    /// half.
    fn tell(
        &self,
        half: &Half<'_, G>,
        chunk: usize,
        plies: u8,
        other: &Half<'_, G>,
    ) -> Result<(), Slice>;

    /// Appends half the distance of each position with these numbers; `None` for draws and for
    /// positions with captures.
    fn halve(&self, table: &DistanceTable<G>, numbers: Range<u64>, halves: &mut Vec<Option<u8>>);
}

/// Computes the distances of a slice and its mirror on rayon's threads: two results, or one if they
/// are the same. `values` must contain both; `distances` must contain every slice with fewer
/// pieces, and those with as many pieces and fewer men.
pub(in crate::bitbase) fn measure<G: Geometry>(
    rules: &dyn DistanceRules<G>,
    slice: Slice,
    values: &ValueTables<G>,
    distances: &DistanceTables<G>,
    progress: &dyn Progress,
) -> Result<Vec<DistanceTable<G>>, SolveError> {
    let slices = slice.with_mirror().into_iter();
    let halves = slices.map(|slice| Half::new(slice, values, distances));
    let halves = halves.collect::<Result<Vec<_>, _>>()?;
    for half in &halves {
        let look = |numbers| rules.look(half, numbers).map_err(SolveError::Missing);
        each_chunk(half.index.len(), progress, &look)?;
    }
    let pairs: Vec<_> = halves.iter().zip(halves.iter().rev()).collect();
    for plies in 0..NONE {
        if halves.iter().all(|half| half.cells.greatest() < plies) {
            break;
        }
        if progress.is_stopped() {
            return Err(SolveError::Stopped);
        }
        for (half, other) in &pairs {
            half.spread(rules, plies, other)?;
        }
    }
    halves.into_iter().map(|half| half.finish(progress)).collect()
}

/// The compressed distances of a slice: half the plies, as the value determines whether they are
/// odd. Draws and positions with captures need none.
pub(super) fn packed<G: Geometry>(
    rules: &dyn DistanceRules<G>,
    table: &DistanceTable<G>,
) -> Packed {
    let DistanceTable { index, plies } = table;
    let most = plies.iter().filter(|plies| **plies != NONE).max().unwrap_or(&0);
    pack(index.len(), usize::from(most / 2) + 1, &|start, halves| {
        rules.halve(table, start..index.len().min(start + BLOCK), halves);
    })
}

/// The distance of a position from its stored half and its value.
#[inline(always)]
pub(super) fn plies_of(half: u8, value: Value, without_move: Value) -> u8 {
    let odd = u8::from(value != without_move);
    half.saturating_mul(2).saturating_add(odd)
}

/// The positions of an ending with a given side to move.
pub(in crate::bitbase) struct Half<'a, G: Geometry> {
    index: Index<G>,
    values: &'a ValueTable<G>,
    distances: &'a DistanceTables<G>,
    cells: Cells,
}

impl<'a, G: Geometry> Half<'a, G> {
    fn new(
        slice: Slice,
        values: &'a ValueTables<G>,
        distances: &'a DistanceTables<G>,
    ) -> Result<Self, SolveError> {
        let values = values.get(slice).ok_or(SolveError::Missing(slice))?;
        let index = values.index().clone();
        let cells = Cells::new(index.len()).ok_or(SolveError::Memory(slice))?;
        Ok(Half { index, values, distances, cells })
    }

    /// The distance of a position by its moves to other endings; [`NONE`] if it depends on the
    /// other moves. A win may still turn out to be shorter.
    #[inline(always)]
    fn look<R: Rules<Geometry = G>>(
        &self,
        pieces: &Pieces<G>,
        value: Value,
        moves: &mut MoveList<G>,
    ) -> Result<u8, Slice> {
        let position = pieces.unkeyed::<R>();
        moves.clear();
        movegen::captures(&position, moves);
        if !moves.is_empty() {
            return self.distances.best(&position, moves.iter(), value);
        }
        if !pieces.can_promote::<R>() {
            return Ok(if movegen::has_quiet(&position) { NONE } else { 0 });
        }
        movegen::quiets(&position, moves);
        if moves.is_empty() {
            return Ok(0);
        }
        let promotions = moves.iter().filter(|mv| pieces.is_promotion(mv));
        if value == Value::Loss && promotions.clone().count() < moves.len() {
            return Ok(NONE);
        }
        self.distances.best(&position, promotions, value)
    }

    /// Propagates the positions here with a given distance to their predecessors in the other half.
    fn spread(
        &self,
        rules: &dyn DistanceRules<G>,
        plies: u8,
        other: &Half<'_, G>,
    ) -> Result<(), SolveError> {
        parallel::try_each(self.index.chunks(), &|chunk| {
            if !self.cells.may_have(chunk, plies) {
                return Ok(());
            }
            rules.tell(self, chunk, plies, other).map_err(SolveError::Missing)
        })
    }

    /// Propagates the distance of a position to its predecessors.
    #[inline(always)]
    fn tell<R: Rules<Geometry = G>>(
        &self,
        pieces: &Pieces<G>,
        plies: u8,
        other: &Half<'_, G>,
    ) -> Result<(), Slice> {
        let value = table::value_of(plies, without_move::<R>());
        let mut result = Ok(());
        each_unmove::<R>(pieces, &other.index, |before, number| {
            // Skip predecessors with a distance as low, and those of another value: they have a
            // better move or must capture.
            if other.cells.get(number) <= plies + 1 || other.values.value(number) != -value {
                return;
            }
            if value == Value::Loss {
                if !movegen::has_capture(&before.unkeyed::<R>()) {
                    other.cells.lower(number, plies + 1);
                }
            } else if other.cells.get(number) == NONE {
                match self.longest::<R>(before, plies) {
                    Ok(longest) => other.cells.lower(number, longest.saturating_add(1)),
                    Err(slice) => result = Err(slice),
                }
            }
        });
        result
    }

    /// The distance after the move that delays a loss the longest; [`NONE`] if one within the
    /// ending is not known to end in at most `plies`.
    fn longest<R: Rules<Geometry = G>>(&self, before: &Pieces<G>, plies: u8) -> Result<u8, Slice> {
        let position = before.unkeyed::<R>();
        let mut moves = MoveList::new();
        movegen::quiets(&position, &mut moves);
        let mut longest = 0;
        for &mv in &moves {
            let after = Pieces::of(&position.after(mv));
            let then = match before.is_promotion(&mv) {
                true => self.distances.plies(&after)?,
                false => self.cells.get(self.index.number(&after)),
            };
            if then > plies && !before.is_promotion(&mv) {
                return Ok(NONE);
            }
            longest = longest.max(then);
        }
        Ok(longest)
    }

    /// The table of distances, once every won or lost position has one.
    fn finish(self, progress: &dyn Progress) -> Result<DistanceTable<G>, SolveError> {
        progress.advance(self.index.len());
        let is_found = |number: u64| {
            (self.cells.get(number) == NONE) == (self.values.value(number) == Value::Draw)
        };
        parallel::try_each(self.index.chunks(), &|chunk| {
            let is_whole = self.index.chunk(chunk).all(is_found);
            if is_whole { Ok(()) } else { Err(SolveError::Long(self.index.slice())) }
        })?;
        Ok(DistanceTable { index: self.index, plies: self.cells.into_plies() })
    }
}

impl<R: Rules> DistanceRules<R::Geometry> for RulesOf<R> {
    fn look(&self, half: &Half<'_, R::Geometry>, numbers: Range<u64>) -> Result<(), Slice> {
        let mut cursor = half.index.cursor(numbers.start);
        let mut moves = MoveList::new();
        for number in numbers {
            let value = half.values.value(number);
            if value != Value::Draw {
                let plies = half.look::<R>(&cursor.pieces(), value, &mut moves)?;
                half.cells.lower(number, plies);
            }
            cursor.advance_inlined();
        }
        Ok(())
    }

    fn tell(
        &self,
        half: &Half<'_, R::Geometry>,
        chunk: usize,
        plies: u8,
        other: &Half<'_, R::Geometry>,
    ) -> Result<(), Slice> {
        let is_now = |&number: &u64| half.cells.get(number) == plies;
        let mut numbers = half.index.chunk(chunk).filter(is_now);
        numbers.try_for_each(|number| half.tell::<R>(&half.index.pieces(number), plies, other))
    }

    fn halve(
        &self,
        table: &DistanceTable<R::Geometry>,
        numbers: Range<u64>,
        halves: &mut Vec<Option<u8>>,
    ) {
        let mut cursor = table.index.cursor(numbers.start);
        for number in numbers {
            let plies = table.plies[number as usize];
            let is_asked = plies != NONE && !outlined::has_capture(&cursor.pieces().unkeyed::<R>());
            halves.push(is_asked.then_some(plies / 2));
            cursor.advance();
        }
    }
}
