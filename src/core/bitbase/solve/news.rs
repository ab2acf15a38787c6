//! The sets of decided positions not yet propagated to their predecessors.

use std::array;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::bitbase::chunks::CHUNK;
use crate::memory::zeroed;

/// Positions per word.
const WORD: u64 = u64::BITS as u64;
/// Words per chunk.
const WORDS: usize = (CHUNK / WORD) as usize;

/// A set of positions of a slice, one bit each, shared between threads.
pub(super) struct News(Box<[AtomicU64]>);

impl News {
    /// An empty set for `len` positions; `None` if there is not enough memory.
    pub(super) fn new(len: u64) -> Option<Self> {
        let chunks = usize::try_from(len.div_ceil(CHUNK)).ok()?;
        zeroed(chunks * WORDS).map(News)
    }

    /// An empty set for no positions.
    pub(super) fn none() -> Self {
        News(Box::default())
    }

    /// Adds a position.
    #[inline(always)]
    pub(super) fn add(&self, number: u64) {
        self.0[(number / WORD) as usize].fetch_or(1 << (number % WORD), Ordering::Relaxed);
    }

    /// Adds the positions of a chunk that are news.
    pub(super) fn add_all(&self, numbers: Range<u64>, is_news: impl Fn(u64) -> bool) {
        for start in numbers.clone().step_by(WORD as usize) {
            let end = numbers.end.min(start + WORD);
            let bits = (start..end).fold(0, |bits, n| bits | u64::from(is_news(n)) << (n - start));
            self.0[(start / WORD) as usize].fetch_or(bits, Ordering::Relaxed);
        }
    }

    /// Removes the positions of a chunk from the set and returns them.
    pub(super) fn take(&self, chunk: usize) -> ChunkNews {
        let words = &self.0[chunk * WORDS..][..WORDS];
        let take = |word: &AtomicU64| match word.load(Ordering::Relaxed) {
            0 => 0,
            _ => word.swap(0, Ordering::Relaxed),
        };
        ChunkNews(array::from_fn(|index| take(&words[index])))
    }
}

/// A set of positions of a chunk.
pub(in crate::bitbase) struct ChunkNews([u64; WORDS]);

impl ChunkNews {
    /// Whether the set is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The offsets of the positions from the start of the chunk, ascending.
    pub(super) fn offsets(&self) -> impl Iterator<Item = u64> {
        self.0.iter().zip((0..).step_by(WORD as usize)).flat_map(|(&word, start)| {
            let bits = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            let bits = bits.take_while(|&word| word != 0);
            bits.map(move |word| start + u64::from(word.trailing_zeros()))
        })
    }
}
