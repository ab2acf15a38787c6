//! The values of whole slices in memory, two bits each: what the next slices are solved with.

use rayon::prelude::*;

use crate::board::{Bitboard, Move};
use crate::position::Position;
use crate::rules::Rules;

use super::index::Index;
use super::pieces::Pieces;
use super::slice::Slice;
use super::value::{Value, without_move};

/// The values of a slice, captures to make or not.
#[derive(Clone, Debug)]
pub struct Table<R: Rules> {
    index: Index<R>,
    /// Four to a byte, the first in the lowest bits.
    bytes: Vec<u8>,
}

impl<R: Rules> Table<R> {
    /// A table of values in the order of their numbers.
    pub fn new(index: Index<R>, values: impl Fn(u64) -> Value + Sync) -> Self {
        let byte = |place: u64| {
            let numbers = 4 * place..index.len().min(4 * place + 4);
            numbers.zip([0, 2, 4, 6]).fold(0, |byte, (n, shift)| byte | (values(n) as u8) << shift)
        };
        let bytes = (0..index.len().div_ceil(4)).into_par_iter().map(byte).collect();
        Table { index, bytes }
    }

    /// A table of values in order, in parts of a multiple of four, except the last.
    pub(super) fn of_blocks(index: Index<R>, blocks: &[Vec<Value>]) -> Self {
        let mut bytes = Vec::with_capacity(index.len().div_ceil(4) as usize);
        for four in blocks.iter().flat_map(|block| block.chunks(4)) {
            let values = four.iter().zip([0, 2, 4, 6]);
            bytes.push(values.fold(0, |byte, (&value, shift)| byte | (value as u8) << shift));
        }
        Table { index, bytes }
    }

    /// The numbers of its positions.
    pub fn index(&self) -> &Index<R> {
        &self.index
    }

    /// The value of the position with a number.
    #[inline(always)]
    pub fn value(&self, number: u64) -> Value {
        Value::from_bits(self.bytes[number as usize / 4] >> (number % 4 * 2))
    }
}

/// The slices solved so far.
#[derive(Clone, Debug)]
pub struct Tables<R: Rules>(Vec<Option<Table<R>>>);

impl<R: Rules> Default for Tables<R> {
    fn default() -> Self {
        Tables((0..Slice::CODES).map(|_| None).collect())
    }
}

impl<R: Rules> Tables<R> {
    /// Adds a slice.
    pub fn add(&mut self, table: Table<R>) {
        let code = table.index.slice().code();
        self.0[code] = Some(table);
    }

    /// Takes slices out, which frees their memory.
    pub(super) fn forget(&mut self, is_over: impl Fn(Slice) -> bool) {
        for table in &mut self.0 {
            table.take_if(|table| is_over(table.index.slice()));
        }
    }

    /// The table of a slice.
    #[inline(always)]
    pub fn get(&self, slice: Slice) -> Option<&Table<R>> {
        self.0[slice.code()].as_ref()
    }

    /// The value of a position, captures to make or not; its slice if that is not here.
    #[inline(always)]
    pub fn value(&self, pieces: &Pieces<R::Geometry>) -> Result<Value, Slice> {
        if (pieces.men[0] | pieces.kings[0]) == Bitboard::EMPTY {
            return Ok(without_move::<R>());
        }
        let slice = Slice::of(pieces);
        let table = self.get(slice).ok_or(slice)?;
        Ok(table.value(table.index.number(pieces)))
    }

    /// The value of the best of some moves, a loss if there are none; a slice that they lead to and
    /// that is not here.
    #[inline(always)]
    pub(super) fn best<'a>(
        &self,
        position: &Position<R>,
        moves: impl IntoIterator<Item = &'a Move<R::Geometry>>,
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
