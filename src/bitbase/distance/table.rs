//! The distances of whole slices in memory, a byte each: what those of the next slices are found with.

use crate::board::{Bitboard, Move};
use crate::position::{Pieces, Position};
use crate::rules::Rules;

use crate::bitbase::index::Index;
use crate::bitbase::slice::Slice;
use crate::bitbase::value::{Value, without_move};

use super::cells::NONE;

/// The distances of a slice, captures to make or not.
#[derive(Clone, Debug)]
pub struct DistanceTable<R: Rules> {
    pub(super) index: Index<R>,
    pub(super) plies: Vec<u8>,
}

impl<R: Rules> DistanceTable<R> {
    /// A table of distances in the order of their numbers, [`NONE`] for draws.
    pub(in crate::bitbase) fn new(index: Index<R>, plies: Vec<u8>) -> Self {
        DistanceTable { index, plies }
    }

    /// The numbers of its positions.
    pub fn index(&self) -> &Index<R> {
        &self.index
    }

    /// The plies to the end of the position with a number; `None` for a draw.
    pub fn plies(&self, number: u64) -> Option<u8> {
        Some(self.plies[number as usize]).filter(|&plies| plies != NONE)
    }
}

/// The distances found so far.
#[derive(Clone, Debug)]
pub struct DistanceTables<R: Rules>(Vec<Option<DistanceTable<R>>>);

impl<R: Rules> Default for DistanceTables<R> {
    fn default() -> Self {
        DistanceTables((0..Slice::CODES).map(|_| None).collect())
    }
}

impl<R: Rules> DistanceTables<R> {
    /// Adds a slice.
    pub fn add(&mut self, table: DistanceTable<R>) {
        let code = table.index.slice().code();
        self.0[code] = Some(table);
    }

    /// Takes slices out, which frees their memory.
    pub(in crate::bitbase) fn forget(&mut self, is_over: impl Fn(Slice) -> bool) {
        for table in &mut self.0 {
            table.take_if(|table| is_over(table.index.slice()));
        }
    }

    /// The table of a slice.
    pub fn get(&self, slice: Slice) -> Option<&DistanceTable<R>> {
        self.0[slice.code()].as_ref()
    }

    /// The plies to the end of a position, [`NONE`] for a draw; its slice if that is not here.
    #[inline(always)]
    pub(super) fn plies(&self, pieces: &Pieces<R::Geometry>) -> Result<u8, Slice> {
        if (pieces.men[0] | pieces.kings[0]) == Bitboard::EMPTY {
            return Ok(0);
        }
        let slice = Slice::of(pieces);
        let table = self.get(slice).ok_or(slice)?;
        Ok(table.plies[table.index.number(pieces) as usize])
    }

    /// The plies to the end of a position that is worth `value` if one of some moves is made: the
    /// shortest way to win, the longest to lose. [`NONE`] if none of the moves leads to such an end; a
    /// slice that they lead to and that is not here.
    #[inline(always)]
    pub(in crate::bitbase) fn best<'a>(
        &self,
        position: &Position<R>,
        moves: impl IntoIterator<Item = &'a Move<R::Geometry>>,
        value: Value,
    ) -> Result<u8, Slice> {
        let mut best = None;
        for &mv in moves {
            let plies = self.plies(&Pieces::of(&position.after(mv)))?;
            if value_of::<R>(plies) == -value {
                let plies = plies.saturating_add(1);
                best = Some(better(best.unwrap_or(plies), plies, value));
            }
        }
        Ok(best.unwrap_or(NONE))
    }
}

/// What a side wants that wins or loses.
#[inline(always)]
fn better(one: u8, two: u8, value: Value) -> u8 {
    if value == Value::Win { one.min(two) } else { one.max(two) }
}

/// The value of a position, which its distance tells: the sides take turns until one has no move.
#[inline(always)]
pub(in crate::bitbase) fn value_of<R: Rules>(plies: u8) -> Value {
    match plies {
        NONE => Value::Draw,
        plies if plies.is_multiple_of(2) => without_move::<R>(),
        _ => -without_move::<R>(),
    }
}
