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

use crate::board::MoveList;
use crate::movegen;
use crate::parallel;
use crate::rules::Rules;

use super::chunks::each_chunk;
use super::codec::{BLOCK, Packed, pack};
use super::index::Index;
use super::slice::Slice;
use super::table::{ValueTable, ValueTables};
use super::unmoves::each_unmove;
use super::value::{Value, without_move};
use super::watch::{SolveError, SolveWatch};
use crate::position::Pieces;
use cells::Cells;

/// Computes the distances of a slice and its mirror on rayon's threads: two results, or one if they
/// are the same. `values` must contain both; `distances` must contain every slice with fewer
/// pieces, and those with as many pieces and fewer men.
pub fn measure<R: Rules>(
    slice: Slice,
    values: &ValueTables<R>,
    distances: &DistanceTables<R>,
    watch: &dyn SolveWatch,
) -> Result<Vec<DistanceTable<R>>, SolveError> {
    let slices = slice.with_mirror().into_iter();
    let halves = slices.map(|slice| Half::new(slice, values, distances));
    let halves = halves.collect::<Result<Vec<_>, _>>()?;
    for half in &halves {
        half.look_at_all(watch)?;
    }
    let pairs: Vec<_> = halves.iter().zip(halves.iter().rev()).collect();
    for plies in 0..NONE {
        if halves.iter().all(|half| half.cells.greatest() < plies) {
            break;
        }
        if watch.is_stopped() {
            return Err(SolveError::Stopped);
        }
        for (half, other) in &pairs {
            half.spread(plies, other)?;
        }
    }
    halves.into_iter().map(|half| half.finish(watch)).collect()
}

/// The compressed distances of a slice: half the plies, as the value determines whether they are
/// odd. Draws and positions with captures need none.
pub(super) fn packed<R: Rules>(table: &DistanceTable<R>) -> Packed {
    let DistanceTable { index, plies } = table;
    let most = plies.iter().filter(|plies| **plies != NONE).max().unwrap_or(&0);
    pack(index.len(), usize::from(most / 2) + 1, &|start, halves| {
        let mut cursor = index.cursor(start);
        for number in start..index.len().min(start + BLOCK) {
            let plies = plies[number as usize];
            let is_asked = plies != NONE && !movegen::has_capture(&cursor.pieces().unkeyed::<R>());
            halves.push(is_asked.then_some(plies / 2));
            cursor.advance();
        }
    })
}

/// The distance of a position from its stored half and its value.
#[inline(always)]
pub(super) fn plies_of<R: Rules>(half: u8, value: Value) -> u8 {
    let odd = u8::from(value != without_move::<R>());
    half.saturating_mul(2).saturating_add(odd)
}

/// The positions of an ending with a given side to move.
struct Half<'a, R: Rules> {
    index: Index<R>,
    values: &'a ValueTable<R>,
    distances: &'a DistanceTables<R>,
    cells: Cells,
}

impl<'a, R: Rules> Half<'a, R> {
    fn new(
        slice: Slice,
        values: &'a ValueTables<R>,
        distances: &'a DistanceTables<R>,
    ) -> Result<Self, SolveError> {
        let values = values.get(slice).ok_or(SolveError::Missing(slice))?;
        let index = values.index().clone();
        let cells = Cells::new(index.len()).ok_or(SolveError::Memory(slice))?;
        Ok(Half { index, values, distances, cells })
    }

    /// Sets the distance of every position that other endings decide.
    fn look_at_all(&self, watch: &dyn SolveWatch) -> Result<(), SolveError> {
        each_chunk(self.index.len(), watch, &|numbers| {
            let mut cursor = self.index.cursor(numbers.start);
            let mut moves = MoveList::new();
            for number in numbers {
                let value = self.values.value(number);
                if value != Value::Draw {
                    let plies = self.look(&cursor.pieces(), value, &mut moves);
                    self.cells.lower(number, plies.map_err(SolveError::Missing)?);
                }
                cursor.advance();
            }
            Ok(())
        })
    }

    /// The distance of a position by its moves to other endings; [`NONE`] if it depends on the
    /// other moves. A win may still turn out to be shorter.
    #[inline(always)]
    fn look(
        &self,
        pieces: &Pieces<R::Geometry>,
        value: Value,
        moves: &mut MoveList<R::Geometry>,
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
        let promotions = moves.iter().filter(|mv| pieces.is_promotion::<R>(mv));
        if value == Value::Loss && promotions.clone().count() < moves.len() {
            return Ok(NONE);
        }
        self.distances.best(&position, promotions, value)
    }

    /// Propagates the positions here with a given distance to their predecessors in the other half.
    fn spread(&self, plies: u8, other: &Half<R>) -> Result<(), SolveError> {
        parallel::try_each(self.index.chunks(), &|chunk| {
            if !self.cells.may_have(chunk, plies) {
                return Ok(());
            }
            let is_now = |&number: &u64| self.cells.get(number) == plies;
            self.index.chunk(chunk).filter(is_now).try_for_each(|number| {
                let told = self.tell(&self.index.pieces(number), plies, other);
                told.map_err(SolveError::Missing)
            })
        })
    }

    /// Propagates the distance of a position to its predecessors.
    #[inline(always)]
    fn tell(&self, pieces: &Pieces<R::Geometry>, plies: u8, other: &Half<R>) -> Result<(), Slice> {
        let value = table::value_of::<R>(plies);
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
                match self.longest(before, plies) {
                    Ok(longest) => other.cells.lower(number, longest.saturating_add(1)),
                    Err(slice) => result = Err(slice),
                }
            }
        });
        result
    }

    /// The distance after the move that delays a loss the longest; [`NONE`] if one within the
    /// ending is not known to end in at most `plies`.
    fn longest(&self, before: &Pieces<R::Geometry>, plies: u8) -> Result<u8, Slice> {
        let position = before.unkeyed::<R>();
        let mut moves = MoveList::new();
        movegen::quiets(&position, &mut moves);
        let mut longest = 0;
        for &mv in &moves {
            let after = Pieces::of(&position.after(mv));
            let then = match before.is_promotion::<R>(&mv) {
                true => self.distances.plies(&after)?,
                false => self.cells.get(self.index.number(&after)),
            };
            if then > plies && !before.is_promotion::<R>(&mv) {
                return Ok(NONE);
            }
            longest = longest.max(then);
        }
        Ok(longest)
    }

    /// The table of distances, once every won or lost position has one.
    fn finish(self, watch: &dyn SolveWatch) -> Result<DistanceTable<R>, SolveError> {
        watch.advance(self.index.len());
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
