//! Values of a slice, compressed: blocks of positions that can be looked into one by one.

mod grammar;

pub(in crate::bitbase) use grammar::{Grammar, Pair};

use rayon::prelude::*;

/// Positions in a block.
pub(in crate::bitbase) const BLOCK: u64 = 4096;
/// The blocks that a grammar is made for, spread over the slice.
const SAMPLE: usize = 128;

/// A slice, compressed.
#[derive(Clone, Debug)]
pub(in crate::bitbase) struct Packed {
    /// What the codes stand for.
    pub grammar: Grammar,
    /// Where the codes of each block begin; one more for the end of the last.
    pub starts: Vec<u32>,
    /// The codes of all blocks.
    pub codes: Vec<u8>,
}

/// Compresses `len` values below a number, with rayon's threads. `fill` writes the values of a block,
/// from a number on; `None` for those that nobody will ask for.
pub(in crate::bitbase) fn pack(
    len: u64,
    values: usize,
    fill: impl Fn(u64, &mut Vec<Option<u8>>) + Sync,
) -> Packed {
    let blocks = len.div_ceil(BLOCK) as usize;
    let block = |block: usize| {
        let mut values = Vec::with_capacity(BLOCK as usize);
        fill(block as u64 * BLOCK, &mut values);
        settled(&values)
    };
    let step = blocks.div_ceil(SAMPLE).max(1);
    let sample: Vec<_> = (0..blocks).into_par_iter().step_by(step).map(block).collect();
    let grammar = Grammar::of(values, sample.iter().map(Vec::as_slice));
    let packed: Vec<_> =
        (0..blocks).into_par_iter().map(|number| grammar.encode(&block(number))).collect();
    let mut starts = vec![0];
    let mut codes = Vec::with_capacity(packed.iter().map(Vec::len).sum());
    for block in packed {
        codes.extend_from_slice(&block);
        starts.push(codes.len() as u32);
    }
    Packed { grammar, starts, codes }
}

/// Values with those in place that nobody will ask for: each is the one before, which costs least.
fn settled(values: &[Option<u8>]) -> Vec<u8> {
    let mut last = values.iter().copied().flatten().next().unwrap_or_default();
    let settle = |value: &Option<u8>| {
        last = value.unwrap_or(last);
        last
    };
    values.iter().map(settle).collect()
}
