//! Distances: in how many plies a won or lost position ends with best play, the winner in a hurry,
//! the loser in none.
//!
//! The values are known, so ply by ply those positions are found that end in just so many plies:
//! before a loss in n plies every win has one in n + 1 at the most; a loss ends in n + 1 plies when all
//! its moves lead to wins in n at the most.

mod cells;
mod table;

pub(super) use cells::NONE;
pub use table::{DistanceTable, DistanceTables};

use rayon::prelude::*;

use crate::board::MoveList;
use crate::movegen;
use crate::rules::Rules;

use super::codec::{BLOCK, Packed, pack};
use super::index::Index;
use super::slice::Slice;
use super::solve::{SolveError, Watch};
use super::table::{Table, Tables};
use super::unmoves::each_unmove;
use super::value::{Value, without_move};
use crate::position::Pieces;
use cells::Cells;

/// Finds the distances of a slice and its mirror, with rayon's threads: two results, or one if they
/// are the same. The values must be there; so must the distances of every slice of fewer pieces, and
/// of those of as many with fewer men.
pub fn measure<R: Rules>(
    slice: Slice,
    values: &Tables<R>,
    distances: &DistanceTables<R>,
    watch: &impl Watch,
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

/// The distances of a slice, compressed: half of the plies, as the value tells whether they are odd.
/// Draws and positions with captures to make need none.
pub(super) fn packed<R: Rules>(table: &DistanceTable<R>) -> Packed {
    let DistanceTable { index, plies } = table;
    let most = plies.par_iter().filter(|plies| **plies != NONE).max().unwrap_or(&0);
    pack(index.len(), usize::from(most / 2) + 1, |start, halves| {
        let mut cursor = index.cursor(start);
        for number in start..index.len().min(start + BLOCK) {
            let plies = plies[number as usize];
            let is_asked = plies != NONE && !movegen::has_capture(&cursor.pieces().unkeyed::<R>());
            halves.push(is_asked.then_some(plies / 2));
            cursor.advance();
        }
    })
}

/// The plies of a position whose value is known, by half of them.
#[inline(always)]
pub(super) fn plies_of<R: Rules>(half: u8, value: Value) -> u8 {
    let odd = u8::from(value != without_move::<R>());
    half.saturating_mul(2).saturating_add(odd)
}

/// The positions of an ending with one side to move.
struct Half<'a, R: Rules> {
    index: Index<R>,
    values: &'a Table<R>,
    distances: &'a DistanceTables<R>,
    cells: Cells,
}

impl<'a, R: Rules> Half<'a, R> {
    fn new(
        slice: Slice,
        values: &'a Tables<R>,
        distances: &'a DistanceTables<R>,
    ) -> Result<Self, SolveError> {
        let values = values.get(slice).ok_or(SolveError::Missing(slice))?;
        let index = values.index().clone();
        let cells = Cells::new(index.len()).ok_or(SolveError::Memory(slice))?;
        Ok(Half { index, values, distances, cells })
    }

    /// Gives a distance to every position that other endings decide.
    fn look_at_all(&self, watch: &impl Watch) -> Result<(), SolveError> {
        (0..self.index.chunks()).into_par_iter().try_for_each(|chunk| {
            if watch.is_stopped() {
                return Err(SolveError::Stopped);
            }
            let numbers = self.index.chunk(chunk);
            watch.advance(numbers.end - numbers.start);
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

    /// The distance of a position by the moves that lead to other endings, [`NONE`] if it depends on
    /// others. A win may still turn out to be shorter.
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

    /// Tells the positions of the other half which positions here end in so many plies.
    fn spread(&self, plies: u8, other: &Half<R>) -> Result<(), SolveError> {
        (0..self.index.chunks()).into_par_iter().try_for_each(|chunk| {
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

    /// Tells the positions before one that it ends in so many plies.
    #[inline(always)]
    fn tell(&self, pieces: &Pieces<R::Geometry>, plies: u8, other: &Half<R>) -> Result<(), Slice> {
        let value = table::value_of::<R>(plies);
        let mut result = Ok(());
        each_unmove::<R>(pieces, &other.index, |before, number| {
            // What is lower needs no telling, and draws by captures have other things to do.
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

    /// The plies after the move that delays a loss most, [`NONE`] if one within the ending is not known
    /// to end in `plies` at the most.
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

    /// The distances, and how many positions have which value.
    fn finish(self, watch: &impl Watch) -> Result<DistanceTable<R>, SolveError> {
        watch.advance(self.index.len());
        let is_found = |number: u64| {
            (self.cells.get(number) == NONE) == (self.values.value(number) == Value::Draw)
        };
        if !(0..self.index.len()).into_par_iter().all(is_found) {
            return Err(SolveError::Long(self.index.slice()));
        }
        Ok(DistanceTable { index: self.index, plies: self.cells.into_plies() })
    }
}
