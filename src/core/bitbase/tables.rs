//! In-memory tables of whole slices, from which later slices are solved: values with two bits each,
//! and distances with one byte each.

use crate::board::{BitMove, Bitboard, Geometry};
use crate::memory::zeroed;
use crate::parallel;
use crate::position::Pieces;

use super::index::Index;
use super::slice::Slice;
use super::subset::MAX_PIECES;
use super::value::{NO_DISTANCE, Value};

/// The number of bytes that a thread fills at a time.
const FILL_SIZE: usize = 1 << 12;

/// The values of all positions of a slice, with and without captures.
#[derive(Debug)]
pub struct ValueTable {
    index: Index,
    /// Four values per byte, the first in the lowest bits.
    bytes: Box<[u8]>,
}

impl ValueTable {
    /// A table of the values that `value` returns for the position numbers; `None` if there is not
    /// enough memory.
    pub fn new(index: Index, value: impl Fn(u64) -> Value + Sync) -> Option<Self> {
        let mut bytes: Box<[u8]> = zeroed(usize::try_from(Self::size(&index)).ok()?)?;
        parallel::fill(&mut bytes, FILL_SIZE, &|part, bytes| {
            for (first, byte) in (4 * (part * FILL_SIZE) as u64..).step_by(4).zip(bytes) {
                let numbers = first..index.len().min(first + 4);
                let values = numbers.zip([0, 2, 4, 6]);
                *byte = values.fold(0, |byte, (n, shift)| byte | (value(n) as u8) << shift);
            }
        });
        Some(ValueTable { index, bytes })
    }

    /// Restores a table from its [`ValueTable::bytes`], of which there must be
    /// [`ValueTable::size`].
    pub(super) fn from_bytes(index: Index, bytes: Box<[u8]>) -> Self {
        debug_assert_eq!(bytes.len() as u64, Self::size(&index));
        ValueTable { index, bytes }
    }

    /// The size of a table, in bytes.
    pub(super) fn size(index: &Index) -> u64 {
        index.len().div_ceil(4)
    }

    /// The values, four per byte, the first in the lowest bits.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The index of its positions.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The value of the position with a given number.
    #[inline(always)]
    pub fn value(&self, number: u64) -> Value {
        Value::from_bits(self.bytes[number as usize / 4] >> (number % 4 * 2))
    }
}

/// The distances of all positions of a slice, with and without captures.
#[derive(Clone, Debug)]
pub(super) struct DistanceTable {
    index: Index,
    plies: Vec<u8>,
}

impl DistanceTable {
    /// A table of distances by position number, [`NO_DISTANCE`] for draws.
    pub fn new(index: Index, plies: Vec<u8>) -> Self {
        DistanceTable { index, plies }
    }

    /// The index of its positions.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The distances by position number.
    pub fn plies(&self) -> &[u8] {
        &self.plies
    }
}

/// The tables of the slices solved so far.
#[derive(Debug)]
pub struct SliceTables<T> {
    /// Indexed by the code of the slice.
    tables: Vec<Option<T>>,
    /// The value of a position without a legal move.
    without_move: Value,
    /// See [`Rules::PROMOTION_IN_PASSING`](crate::rules::Rules::PROMOTION_IN_PASSING).
    promotion_in_passing: bool,
}

/// The values of the slices solved so far.
pub type ValueTables = SliceTables<ValueTable>;

/// The distances of the slices solved so far.
pub(super) type DistanceTables = SliceTables<DistanceTable>;

impl<T> SliceTables<T> {
    /// Empty tables for a variant, given the value of a position without a legal move and whether
    /// men are promoted in passing.
    pub fn new(without_move: Value, promotion_in_passing: bool) -> Self {
        let tables = (0..Slice::CODES).map(|_| None).collect();
        SliceTables { tables, without_move, promotion_in_passing }
    }

    /// The value of a position without a legal move.
    pub(super) fn without_move(&self) -> Value {
        self.without_move
    }

    /// Adds the table of a slice.
    pub fn add(&mut self, slice: Slice, table: T) {
        self.tables[slice.code()] = Some(table);
    }

    /// Drops the tables of slices for which `is_obsolete` holds.
    pub(super) fn drop_obsolete(&mut self, is_obsolete: &dyn Fn(Slice) -> bool) {
        for slice in (2..=MAX_PIECES).flat_map(Slice::all) {
            self.tables[slice.code()].take_if(|_| is_obsolete(slice));
        }
    }

    /// The table of a slice.
    #[inline(always)]
    pub fn get(&self, slice: Slice) -> Option<&T> {
        self.tables[slice.code()].as_ref()
    }

    /// The table that contains a position, and the number of the position; `None` if all pieces of
    /// the side to move have been captured. The error is the slice of the position if that slice
    /// has no table.
    #[inline(always)]
    fn find<G: Geometry>(
        &self,
        pieces: &Pieces<G>,
        index: impl Fn(&T) -> &Index,
    ) -> Result<Option<(&T, u64)>, Slice> {
        if (pieces.men[0] | pieces.kings[0]) == Bitboard::EMPTY {
            return Ok(None);
        }
        let slice = Slice::of(pieces);
        let table = self.get(slice).ok_or(slice)?;
        Ok(Some((table, index(table).number(pieces))))
    }

    #[inline(always)]
    fn after<G: Geometry>(&self, pieces: &Pieces<G>, mv: BitMove<G>) -> Pieces<G> {
        pieces.after(mv, self.promotion_in_passing)
    }
}

impl ValueTables {
    /// The value of a position, with or without captures; the error is its slice if that slice has
    /// no table.
    #[inline(always)]
    pub fn value<G: Geometry>(&self, pieces: &Pieces<G>) -> Result<Value, Slice> {
        let found = self.find(pieces, ValueTable::index)?;
        Ok(found.map_or(self.without_move, |(table, number)| table.value(number)))
    }

    /// The value of a position if the best of the given moves is played; a loss if there are none.
    /// The error is a slice that a move leads to but that has no table.
    #[inline(never)]
    pub(super) fn best<G: Geometry>(
        &self,
        pieces: &Pieces<G>,
        moves: &[BitMove<G>],
    ) -> Result<Value, Slice> {
        let mut best = Value::Loss;
        for &mv in moves {
            best = best.max(-self.value(&self.after(pieces, mv))?);
            if best == Value::Win {
                break;
            }
        }
        Ok(best)
    }
}

impl DistanceTables {
    /// The distance of a position, `NO_DISTANCE` for a draw; the error is its slice if that slice
    /// has no table.
    #[inline(always)]
    pub fn plies<G: Geometry>(&self, pieces: &Pieces<G>) -> Result<u8, Slice> {
        let found = self.find(pieces, DistanceTable::index)?;
        Ok(found.map_or(0, |(table, number)| table.plies[number as usize]))
    }

    /// The distance of a position with the given value if the best of the given moves is played:
    /// the shortest win or the longest loss. `NO_DISTANCE` if none of the moves leads to that
    /// value; the error is a slice that a move leads to but that has no table.
    #[inline(never)]
    pub fn best<G: Geometry>(
        &self,
        pieces: &Pieces<G>,
        moves: &[BitMove<G>],
        value: Value,
    ) -> Result<u8, Slice> {
        let mut best = None;
        for &mv in moves {
            let plies = self.plies(&self.after(pieces, mv))?;
            if Value::of_distance(plies, self.without_move) == -value {
                let plies = plies.saturating_add(1);
                let best_so_far = best.unwrap_or(plies);
                best = Some(match value {
                    Value::Win => plies.min(best_so_far),
                    _ => plies.max(best_so_far),
                });
            }
        }
        Ok(best.unwrap_or(NO_DISTANCE))
    }
}
