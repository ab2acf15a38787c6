//! The distances of whole slices in memory, one byte each, from which those of later slices are
//! computed.

use crate::board::{BitMove, Bitboard, Geometry};
use crate::position::{BitPosition, Pieces};
use crate::rules::Rules;

use crate::bitbase::index::Index;
use crate::bitbase::slice::Slice;
use crate::bitbase::value::Value;

use super::cells::NONE;

/// The distances of all positions of a slice, with and without captures.
#[derive(Clone, Debug)]
pub struct DistanceTable<G: Geometry> {
    pub(super) index: Index<G>,
    pub(super) plies: Vec<u8>,
}

impl<G: Geometry> DistanceTable<G> {
    /// A table of distances by position number, [`NONE`] for draws.
    pub(in crate::bitbase) fn new(index: Index<G>, plies: Vec<u8>) -> Self {
        DistanceTable { index, plies }
    }

    /// The index of its positions.
    pub fn index(&self) -> &Index<G> {
        &self.index
    }

    /// The distance of the position with a given number; `None` for a draw.
    pub fn plies(&self, number: u64) -> Option<u8> {
        Some(self.plies[number as usize]).filter(|&plies| plies != NONE)
    }
}

/// The distances of the slices measured so far.
#[derive(Clone, Debug)]
pub struct DistanceTables<G: Geometry> {
    /// By the code of the slice.
    tables: Vec<Option<DistanceTable<G>>>,
    /// The value of a position without a move.
    without_move: Value,
}

impl<G: Geometry> DistanceTables<G> {
    /// No slices, of a game in which a position without a move has a value.
    pub fn new(without_move: Value) -> Self {
        DistanceTables { tables: (0..Slice::CODES).map(|_| None).collect(), without_move }
    }

    /// Adds the table of a slice.
    pub fn add(&mut self, table: DistanceTable<G>) {
        let code = table.index.slice().code();
        self.tables[code] = Some(table);
    }

    /// Drops the tables of slices for which `is_over` holds.
    pub(in crate::bitbase) fn forget(&mut self, is_over: impl Fn(Slice) -> bool) {
        for table in &mut self.tables {
            table.take_if(|table| is_over(table.index.slice()));
        }
    }

    /// The table of a slice.
    pub fn get(&self, slice: Slice) -> Option<&DistanceTable<G>> {
        self.tables[slice.code()].as_ref()
    }

    /// The distance of a position, [`NONE`] for a draw; the error is its slice if that has no
    /// table.
    #[inline(always)]
    pub(super) fn plies(&self, pieces: &Pieces<G>) -> Result<u8, Slice> {
        if (pieces.men[0] | pieces.kings[0]) == Bitboard::EMPTY {
            return Ok(0);
        }
        let slice = Slice::of(pieces);
        let table = self.get(slice).ok_or(slice)?;
        Ok(table.plies[table.index.number(pieces) as usize])
    }

    /// The distance of a position of a given value if the best of some moves is played: the
    /// shortest win or the longest loss. [`NONE`] if none of the moves leads to that value; the
    /// error is a slice that a move leads to and that has no table.
    #[inline(never)]
    pub(in crate::bitbase) fn best<'a, R: Rules<Geometry = G>>(
        &self,
        position: &BitPosition<R>,
        moves: impl IntoIterator<Item = &'a BitMove<G>>,
        value: Value,
    ) -> Result<u8, Slice> {
        let mut best = None;
        for &mv in moves {
            let plies = self.plies(&Pieces::of(&position.after(mv)))?;
            if value_of(plies, self.without_move) == -value {
                let plies = plies.saturating_add(1);
                best = Some(better(best.unwrap_or(plies), plies, value));
            }
        }
        Ok(best.unwrap_or(NONE))
    }
}

/// The better distance for a side that wins or loses.
#[inline(always)]
fn better(one: u8, two: u8, value: Value) -> u8 {
    if value == Value::Win { one.min(two) } else { one.max(two) }
}

/// The value of a position by the parity of its distance: the sides alternate until one has no
/// move.
#[inline(always)]
pub(in crate::bitbase) fn value_of(plies: u8, without_move: Value) -> Value {
    match plies {
        NONE => Value::Draw,
        plies if plies.is_multiple_of(2) => without_move,
        _ => -without_move,
    }
}
