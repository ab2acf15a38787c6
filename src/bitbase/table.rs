//! The values of whole slices in memory, two bits each: what the next slices are solved with.

use rayon::prelude::*;

use crate::board::{Bitboard, Move};
use crate::memory::zeroed;
use crate::position::{Pieces, Position};
use crate::rules::Rules;

use super::index::Index;
use super::slice::Slice;
use super::value::{Value, without_move};

/// The values of a slice, captures to make or not.
#[derive(Debug)]
pub struct Table<R: Rules> {
    index: Index<R>,
    /// Four to a byte, the first in the lowest bits.
    bytes: Box<[u8]>,
}

impl<R: Rules> Table<R> {
    /// A table of values by their numbers; `None` if there is no memory for it.
    pub fn new(index: Index<R>, value: impl Fn(u64) -> Value + Sync) -> Option<Self> {
        let mut bytes: Box<[u8]> = zeroed(usize::try_from(index.len().div_ceil(4)).ok()?)?;
        bytes.par_iter_mut().enumerate().for_each(|(place, byte)| {
            let first = 4 * place as u64;
            let numbers = first..index.len().min(first + 4);
            let values = numbers.zip([0, 2, 4, 6]);
            *byte = values.fold(0, |byte, (n, shift)| byte | (value(n) as u8) << shift);
        });
        Some(Table { index, bytes })
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
#[derive(Debug)]
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
