//! The values of whole slices in memory, two bits each, from which later slices are solved.

use crate::board::{BitMove, Bitboard, Geometry};
use crate::memory::zeroed;
use crate::parallel;
use crate::position::{BitPosition, Pieces};
use crate::rules::Rules;

use super::index::Index;
use super::slice::Slice;
use super::value::Value;

/// Bytes that a thread fills at a time.
const PIECE: usize = 1 << 12;

/// The values of all positions of a slice, with and without captures.
#[derive(Debug)]
pub struct ValueTable<G: Geometry> {
    index: Index<G>,
    /// Four values per byte, the first in the lowest bits.
    bytes: Box<[u8]>,
}

impl<G: Geometry> ValueTable<G> {
    /// A table of values by position number; `None` if there is not enough memory.
    pub fn new(index: Index<G>, value: impl Fn(u64) -> Value + Sync) -> Option<Self> {
        let mut bytes: Box<[u8]> = zeroed(usize::try_from(Self::size(&index)).ok()?)?;
        parallel::fill(&mut bytes, PIECE, &|piece, bytes| {
            for (first, byte) in (4 * (piece * PIECE) as u64..).step_by(4).zip(bytes) {
                let numbers = first..index.len().min(first + 4);
                let values = numbers.zip([0, 2, 4, 6]);
                *byte = values.fold(0, |byte, (n, shift)| byte | (value(n) as u8) << shift);
            }
        });
        Some(ValueTable { index, bytes })
    }

    /// A table from its [`ValueTable::bytes`], of which there must be [`ValueTable::size`].
    pub(super) fn of_bytes(index: Index<G>, bytes: Box<[u8]>) -> Self {
        debug_assert_eq!(bytes.len() as u64, Self::size(&index));
        ValueTable { index, bytes }
    }

    /// The size of a table, in bytes.
    pub(super) fn size(index: &Index<G>) -> u64 {
        index.len().div_ceil(4)
    }

    /// Its values, four per byte, the first in the lowest bits.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The index of its positions.
    pub fn index(&self) -> &Index<G> {
        &self.index
    }

    /// The value of the position with a given number.
    #[inline(always)]
    pub fn value(&self, number: u64) -> Value {
        Value::from_bits(self.bytes[number as usize / 4] >> (number % 4 * 2))
    }
}

/// The values of the slices solved so far.
#[derive(Debug)]
pub struct ValueTables<G: Geometry> {
    /// By the code of the slice.
    tables: Vec<Option<ValueTable<G>>>,
    /// The value of a position without a move.
    without_move: Value,
}

impl<G: Geometry> ValueTables<G> {
    /// No slices, of a game in which a position without a move has a value.
    pub fn new(without_move: Value) -> Self {
        ValueTables { tables: (0..Slice::CODES).map(|_| None).collect(), without_move }
    }

    /// Adds the table of a slice.
    pub fn add(&mut self, table: ValueTable<G>) {
        let code = table.index.slice().code();
        self.tables[code] = Some(table);
    }

    /// Drops the tables of slices for which `is_over` holds.
    pub(super) fn forget(&mut self, is_over: impl Fn(Slice) -> bool) {
        for table in &mut self.tables {
            table.take_if(|table| is_over(table.index.slice()));
        }
    }

    /// The table of a slice.
    #[inline(always)]
    pub fn get(&self, slice: Slice) -> Option<&ValueTable<G>> {
        self.tables[slice.code()].as_ref()
    }

    /// The value of a position, with or without captures; the error is its slice if that has no
    /// table.
    #[inline(always)]
    pub fn value(&self, pieces: &Pieces<G>) -> Result<Value, Slice> {
        if (pieces.men[0] | pieces.kings[0]) == Bitboard::EMPTY {
            return Ok(self.without_move);
        }
        let slice = Slice::of(pieces);
        let table = self.get(slice).ok_or(slice)?;
        Ok(table.value(table.index.number(pieces)))
    }

    /// The value of the best of some moves, a loss if there are none; the error is a slice that a
    /// move leads to and that has no table.
    #[inline(never)]
    pub(super) fn best<'a, R: Rules<Geometry = G>>(
        &self,
        position: &BitPosition<R>,
        moves: impl IntoIterator<Item = &'a BitMove<G>>,
    ) -> Result<Value, Slice> {
        let mut best = Value::Loss;
        for &mv in moves {
            best = best.max(-self.value(&Pieces::of(&position.after(mv)))?);
            if best == Value::Win {
                break;
            }
        }
        Ok(best)
    }
}
