//! Which positions have been decided and have not told the positions before them.

use std::array;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::bitbase::index::CHUNK;
use crate::memory::zeroed;

/// Positions in a word.
const WORD: u64 = u64::BITS as u64;
/// Words in a chunk.
const WORDS: usize = (CHUNK / WORD) as usize;

/// A set of the positions of a slice, a bit each, which threads share.
pub(super) struct News(Box<[AtomicU64]>);

impl News {
    /// For so many positions; `None` if there is no memory for them.
    pub(super) fn new(len: u64) -> Option<Self> {
        let chunks = usize::try_from(len.div_ceil(CHUNK)).ok()?;
        zeroed(chunks * WORDS).map(News)
    }

    /// Adds a position.
    #[inline(always)]
    pub(super) fn add(&self, number: u64) {
        self.0[(number / WORD) as usize].fetch_or(1 << (number % WORD), Ordering::Relaxed);
    }

    /// Adds those of the positions of a chunk that are news.
    pub(super) fn add_all(&self, numbers: Range<u64>, is_news: impl Fn(u64) -> bool) {
        for start in numbers.clone().step_by(WORD as usize) {
            let end = numbers.end.min(start + WORD);
            let bits = (start..end).fold(0, |bits, n| bits | u64::from(is_news(n)) << (n - start));
            self.0[(start / WORD) as usize].fetch_or(bits, Ordering::Relaxed);
        }
    }

    /// Takes the positions of a chunk out of the set.
    pub(super) fn take(&self, chunk: usize) -> ChunkNews {
        let words = &self.0[chunk * WORDS..][..WORDS];
        let take = |word: &AtomicU64| match word.load(Ordering::Relaxed) {
            0 => 0,
            _ => word.swap(0, Ordering::Relaxed),
        };
        ChunkNews(array::from_fn(|index| take(&words[index])))
    }
}

/// A set of the positions of a chunk.
pub(super) struct ChunkNews([u64; WORDS]);

impl ChunkNews {
    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many each of them comes after the first of the chunk.
    pub(super) fn offsets(&self) -> impl Iterator<Item = u64> {
        self.0.iter().zip((0..).step_by(WORD as usize)).flat_map(|(&word, start)| {
            let bits = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            let bits = bits.take_while(|&word| word != 0);
            bits.map(move |word| start + u64::from(word.trailing_zeros()))
        })
    }
}
