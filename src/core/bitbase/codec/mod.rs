//! The compression of a slice, in blocks from which single values can be read.

mod grammar;

pub(in crate::bitbase) use grammar::{Grammar, Pair};

use crate::parallel;

/// Positions per block.
pub(in crate::bitbase) const BLOCK: u64 = 4096;
/// The maximum number of blocks that a grammar is fitted to, spread over the slice.
const SAMPLE: usize = 128;

/// A compressed slice.
#[derive(Clone, Debug)]
pub(in crate::bitbase) struct Packed {
    /// The grammar of the codes.
    pub grammar: Grammar,
    /// The start of the codes of each block, and one more for the end of the last.
    pub starts: Vec<u32>,
    /// The codes of all blocks.
    pub codes: Vec<u8>,
}

/// Compresses `len` values below `values` on rayon's threads. `fill` writes the values of the block
/// that starts at a position number; `None` marks values that are never probed.
pub(in crate::bitbase) fn pack(
    len: u64,
    values: usize,
    fill: &(dyn Fn(u64, &mut Vec<Option<u8>>) + Sync),
) -> Packed {
    let blocks = len.div_ceil(BLOCK) as usize;
    let block = |block: usize| {
        let mut values = Vec::with_capacity(BLOCK as usize);
        fill(block as u64 * BLOCK, &mut values);
        settled(&values)
    };
    let step = blocks.div_ceil(SAMPLE).max(1);
    let sample = parallel::map(blocks.div_ceil(step), &|number| block(number * step));
    let grammar = Grammar::of(values, sample.iter().map(Vec::as_slice));
    let packed = parallel::map(blocks, &|number| grammar.encode(&block(number)));
    let mut starts = vec![0];
    let mut codes = Vec::with_capacity(packed.iter().map(Vec::len).sum());
    for block in packed {
        codes.extend_from_slice(&block);
        starts.push(codes.len() as u32);
    }
    Packed { grammar, starts, codes }
}

/// The values with those never probed filled in: each repeats the one before, which compresses
/// best.
fn settled(values: &[Option<u8>]) -> Vec<u8> {
    let mut last = values.iter().copied().flatten().next().unwrap_or_default();
    let settle = |value: &Option<u8>| {
        last = value.unwrap_or(last);
        last
    };
    values.iter().map(settle).collect()
}
