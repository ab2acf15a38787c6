//! Compression of a slice in blocks from which single values can be read.
//!
//! Each code is a symbol in a grammar of up to 256 symbols, built by byte-pair encoding (P. Gage,
//! *A new algorithm for data compression*, 1994; N. J. Larsson and A. Moffat, *Offline
//! dictionary-based compression*, 1999). The first symbols are the values themselves; each of the
//! others stands for a pair of earlier symbols. A code is one byte, and the number of values it
//! stands for is known without expanding it, so one value out of thousands is found by adding up
//! lengths.

use crate::parallel;

/// The number of positions per block.
pub const BLOCK: u64 = 4096;
/// The maximum number of sample blocks, spread over the slice, to which a grammar is fitted.
const SAMPLE: usize = 128;

/// A compressed slice.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The grammar of the codes.
    pub grammar: Grammar,
    /// The offset in `codes` of each block, followed by the end of the last block.
    pub starts: Vec<u32>,
    /// The codes of all blocks.
    pub codes: Vec<u8>,
}

/// Compresses `len` values, all less than `values`, on rayon's threads. `fill` writes the values of
/// the block that starts at a given position number; `None` marks values that are never probed.
pub fn pack(len: u64, values: usize, fill: &(dyn Fn(u64, &mut Vec<Option<u8>>) + Sync)) -> Packed {
    let blocks = len.div_ceil(BLOCK) as usize;
    let block = |block: usize| {
        let mut values = Vec::with_capacity(BLOCK as usize);
        fill(block as u64 * BLOCK, &mut values);
        fill_gaps(&values)
    };
    let step = blocks.div_ceil(SAMPLE).max(1);
    let sample = parallel::map(blocks.div_ceil(step), &|number| block(number * step));
    let grammar = Grammar::fit(values, sample.iter().map(Vec::as_slice));
    let packed = parallel::map(blocks, &|number| grammar.encode(&block(number)));
    let mut starts = vec![0];
    let mut codes = Vec::with_capacity(packed.iter().map(Vec::len).sum());
    for block in packed {
        codes.extend_from_slice(&block);
        starts.push(codes.len() as u32);
    }
    Packed { grammar, starts, codes }
}

/// The values after replacing each one that is never probed with the value before it, because runs
/// of equal values compress well.
fn fill_gaps(values: &[Option<u8>]) -> Vec<u8> {
    let mut last = values.iter().copied().flatten().next().unwrap_or_default();
    let fill = |value: &Option<u8>| {
        last = value.unwrap_or(last);
        last
    };
    values.iter().map(fill).collect()
}

/// The number of symbols.
const SYMBOLS: usize = 256;
/// The separator between the blocks of a sample; not a symbol.
const SEPARATOR: u16 = SYMBOLS as u16;
/// The minimum number of occurrences of a pair that becomes a symbol.
const MIN_OCCURRENCES: u32 = 3;

/// Two adjacent symbols.
pub type Pair = [u8; 2];

/// The expansion of each symbol.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// The number of symbols that are values.
    values: usize,
    pairs: [Pair; SYMBOLS],
    /// The number of values that each symbol stands for; 0 if the symbol is unused.
    lengths: [u16; SYMBOLS],
    used: usize,
}

impl Grammar {
    /// A grammar with `values` values, followed by one symbol for each of the given pairs; `None`
    /// if there are too many pairs, or if a pair stands for too many values or contains a symbol
    /// that is not defined before it.
    pub fn new(values: usize, pairs: &[Pair]) -> Option<Self> {
        let mut lengths = [0; SYMBOLS];
        lengths.get_mut(..values)?.fill(1);
        let mut grammar = Grammar { values, pairs: [[0; 2]; SYMBOLS], lengths, used: values };
        pairs.iter().try_for_each(|&pair| grammar.add(pair))?;
        Some(grammar)
    }

    fn add(&mut self, pair: Pair) -> Option<()> {
        let [left, right] = pair.map(usize::from);
        if self.used == SYMBOLS || left >= self.used || right >= self.used {
            return None;
        }
        self.lengths[self.used] = self.lengths[left].checked_add(self.lengths[right])?;
        self.pairs[self.used] = pair;
        self.used += 1;
        Some(())
    }

    /// Fits a grammar to a sample of values below `values` by repeatedly turning the most frequent
    /// pair into a symbol.
    pub fn fit<'a>(values: usize, blocks: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut sample: Vec<u16> = Vec::new();
        for block in blocks {
            sample.extend(block.iter().map(|&value| u16::from(value)));
            sample.push(SEPARATOR);
        }
        let mut pairs = Vec::new();
        while pairs.len() < SYMBOLS - values {
            let Some(pair) = most_frequent(&sample, values + pairs.len()) else {
                break;
            };
            let symbol = (values + pairs.len()) as u16;
            replace(&mut sample, pair.map(u16::from), symbol);
            pairs.push(pair);
        }
        Grammar::new(values, &pairs).unwrap_or_else(|| unreachable!("blocks are short"))
    }

    /// The number of symbols that are values.
    pub fn values(&self) -> usize {
        self.values
    }

    /// The pairs that the symbols after the values stand for.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs[self.values..self.used]
    }

    /// Encodes values.
    pub fn encode(&self, values: &[u8]) -> Vec<u8> {
        let mut codes = values.to_vec();
        for symbol in self.values..self.used {
            let pair = self.pairs[symbol];
            // Search first: most symbols occur in few blocks, and searching is much faster than
            // replacing.
            if contains_pair(&codes, pair) {
                replace(&mut codes, pair, symbol as u8);
            }
        }
        // A copy of the exact size: shrinking in place would fragment the heap.
        codes.as_slice().to_vec()
    }

    /// Decodes codes to at most `max` values.
    pub fn decode(&self, codes: &[u8], max: usize) -> Vec<u8> {
        let mut values = Vec::with_capacity(max);
        for &code in codes {
            let length = usize::from(self.lengths[usize::from(code)]);
            // Unused codes stand for no values.
            if length == 0 || values.len() + length > max {
                break;
            }
            self.decode_symbol(code, &mut values);
        }
        values
    }

    fn decode_symbol(&self, symbol: u8, values: &mut Vec<u8>) {
        if usize::from(symbol) < self.values {
            return values.push(symbol);
        }
        let [left, right] = self.pairs[usize::from(symbol)];
        self.decode_symbol(left, values);
        self.decode_symbol(right, values);
    }

    /// The value at index `number` of the `count` values that codes stand for; `None` if there are
    /// fewer values. The search starts from the nearer end.
    #[inline]
    pub fn value(&self, codes: &[u8], number: usize, count: usize) -> Option<u8> {
        let from_end = count.checked_sub(number + 1)?;
        if number <= from_end {
            let (code, rest) = self.find(codes.iter(), number)?;
            return Some(self.value_within(code, rest));
        }
        let (code, rest) = self.find(codes.iter().rev(), from_end)?;
        let length = usize::from(self.lengths[usize::from(code)]);
        Some(self.value_within(code, length - 1 - rest))
    }

    /// Finds the code that contains the value at index `before`, and the index of that value within
    /// the code.
    #[inline(always)]
    fn find<'a>(&self, codes: impl Iterator<Item = &'a u8>, before: usize) -> Option<(u8, usize)> {
        let mut rest = before;
        for &code in codes {
            let length = usize::from(self.lengths[usize::from(code)]);
            if rest < length {
                return Some((code, rest));
            }
            rest -= length;
        }
        None
    }

    /// The value at index `rest` of the values that a symbol stands for.
    #[inline]
    fn value_within(&self, mut symbol: u8, mut rest: usize) -> u8 {
        while usize::from(symbol) >= self.values {
            let [left, right] = self.pairs[usize::from(symbol)];
            let length = usize::from(self.lengths[usize::from(left)]);
            if rest < length {
                symbol = left;
            } else {
                rest -= length;
                symbol = right;
            }
        }
        symbol
    }
}

/// The most frequent pair of symbols below `symbols`, the lowest in case of a tie; `None` if all
/// pairs are too rare.
fn most_frequent(sample: &[u16], symbols: usize) -> Option<Pair> {
    let mut counts = vec![0_u32; symbols * symbols];
    let mut index = 0;
    while index + 1 < sample.len() {
        let (left, right) = (usize::from(sample[index]), usize::from(sample[index + 1]));
        if left < symbols && right < symbols {
            counts[left * symbols + right] += 1;
            // Three equal symbols in a row make one pair, not two: pairs do not overlap.
            if left == right && sample.get(index + 2) == Some(&sample[index]) {
                index += 1;
            }
        }
        index += 1;
    }
    let best = counts.iter().max()?;
    let index =
        counts.iter().position(|count| count == best).filter(|_| *best >= MIN_OCCURRENCES)?;
    Some([(index / symbols) as u8, (index % symbols) as u8])
}

/// Whether a pair occurs. There is no early exit: without a branch the loop is vectorized.
fn contains_pair(codes: &[u8], [left, right]: Pair) -> bool {
    let is_pair = |(one, two): (&u8, &u8)| (*one == left) & (*two == right);
    let pairs = codes.iter().zip(codes.get(1..).unwrap_or_default());
    pairs.fold(false, |found, pair| found | is_pair(pair))
}

/// Replaces each occurrence of a pair with a symbol.
fn replace<T: Copy + PartialEq>(symbols: &mut Vec<T>, [left, right]: [T; 2], symbol: T) {
    let mut write = 0;
    let mut read = 0;
    while read < symbols.len() {
        let is_pair = symbols[read] == left && symbols.get(read + 1) == Some(&right);
        symbols[write] = if is_pair { symbol } else { symbols[read] };
        read += 1 + usize::from(is_pair);
        write += 1;
    }
    symbols.truncate(write);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn blocks() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let run = (0..3_u8, 1..40_usize).prop_map(|(value, length)| vec![value; length]);
        let block = prop::collection::vec(run, 1..60).prop_map(|runs| runs.concat());
        prop::collection::vec(block, 1..20)
    }

    proptest! {
        #[test]
        fn codes_round_trip(blocks in blocks()) {
            let grammar = Grammar::fit(3, blocks.iter().map(Vec::as_slice));
            let same = Grammar::new(3, grammar.pairs()).unwrap();
            for block in &blocks {
                let codes = grammar.encode(block);
                prop_assert!(codes.len() <= block.len());
                prop_assert_eq!(&same.decode(&codes, block.len()), block);
                for (number, &value) in block.iter().enumerate() {
                    prop_assert_eq!(same.value(&codes, number, block.len()), Some(value));
                }
                prop_assert_eq!(same.value(&codes, block.len(), block.len()), None);
            }
        }

        #[test]
        fn accepts_or_rejects_any_pairs(
            pairs in prop::collection::vec(any::<[u8; 2]>(), 0..300),
            codes in prop::collection::vec(any::<u8>(), 0..100),
            number in 0..100_000_usize,
            count in 0..100_000_usize,
        ) {
            if let Some(grammar) = Grammar::new(3, &pairs) {
                let value = grammar.value(&codes, number, count);
                prop_assert!(value.is_none_or(|value| value < 3));
                prop_assert!(grammar.decode(&codes, number).iter().all(|&value| value < 3));
            }
        }
    }

    #[test]
    fn compresses_long_runs() {
        let block = [1; 4096];
        let grammar = Grammar::fit(2, [&block[..]; 9].into_iter());
        assert!(grammar.encode(&block).len() < 20);
    }
}
