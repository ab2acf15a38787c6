//! The transposition table: the results of earlier searches, by position key.
//!
//! It works with keys and packed moves rather than positions. Threads share it without locks.

mod entry;
#[cfg(test)]
mod tests;

use crate::board::PackedMove;
use crate::memory::prefetch;
use crate::memory::slots::{CLUSTER, Clusters, Slot};
use crate::position::Key;
use crate::score::{Bound, Score};

use entry::{Generation, PackedEntry};

/// The size of an entry, in bytes.
pub const ENTRY_BYTES: usize = size_of::<Slot>();

/// The replacement penalty of an entry, in plies of depth per search since it was stored.
const AGE_WEIGHT: i32 = 8;

/// The maximum number of new generations between two clears; further searches share the last one.
const MAX_AGE: Generation = Generation::MAX / 2;

/// The maximum number of clusters sampled by [`TranspositionTable::fill`].
const FILL_SAMPLE: usize = 256;

/// The number of entries that [`TranspositionTable::age`] provides per node of a search.
const ENTRIES_PER_NODE: u64 = 16;
/// The minimum number of entries in use, if the table has as many.
const MIN_USED: usize = 1 << 16;

/// The result of searching a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, or the move that failed high. It may be illegal, so callers must check it.
    pub mv: Option<PackedMove>,
    /// The score for the side to move, with plies to the end of the game counted from the root.
    pub score: Score,
    /// How the score relates to the true score.
    pub bound: Bound,
    /// The remaining depth to which the position was searched, in plies, `0..=255`.
    pub depth: u8,
}

impl Entry {
    /// The score if it causes a cutoff at a node with the given window and remaining depth.
    #[inline(always)]
    pub fn cutoff(&self, alpha: Score, beta: Score, depth: i32) -> Option<Score> {
        let is_cutoff = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        };
        // A proven win or loss is valid at any depth.
        let is_deep = i32::from(self.depth) >= depth || self.score.is_decisive();
        (is_cutoff && is_deep).then_some(self.score)
    }
}

/// A transposition table.
#[derive(Debug)]
pub struct TranspositionTable {
    clusters: Clusters,
    /// The oldest valid generation; older entries count as empty.
    oldest: Generation,
    /// The generation of the current search, from `oldest` to `oldest + MAX_AGE`.
    generation: Generation,
}

impl TranspositionTable {
    /// A table of 2^`size` entries of 16 bytes. All its memory is committed here, so that searches
    /// need not wait for page faults. If there is too little memory, the table is as large as
    /// memory allows; without any memory it stores nothing.
    pub fn new(size: u32) -> Self {
        let mut clusters = Clusters::new(size);
        clusters.use_slots(MIN_USED);
        TranspositionTable { clusters, oldest: 1, generation: 1 }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.clusters.slot_count()
    }

    /// Whether the table has no entries, for lack of memory.
    pub fn is_empty(&self) -> bool {
        self.clusters.slot_count() == 0
    }

    /// Starts a new search of at most `nodes` nodes, which preferentially replaces the entries of
    /// earlier searches.
    ///
    /// Short searches use only part of a large table, which stays in the processor's caches. The
    /// part grows with the limits of later searches, but does not shrink until the table is cleared,
    /// because most entries are lost when its size changes.
    pub fn age(&mut self, nodes: u64) {
        self.generation = (self.generation + 1).min(self.oldest + MAX_AGE);
        let wanted = usize::try_from(nodes.saturating_mul(ENTRIES_PER_NODE)).unwrap_or(usize::MAX);
        if wanted > self.clusters.used_slots() {
            self.clusters.use_slots(wanted);
        }
    }

    /// Clears the table, so that it behaves like a new one. The memory is kept and usually not even
    /// written: all entries become too old to be valid.
    pub fn clear(&mut self) {
        if self.generation > MAX_AGE {
            // Too few generations are left for another long game. This happens once in thousands of
            // games.
            self.clusters.wipe();
            self.generation = 0;
        }
        self.oldest = self.generation + 1;
        self.generation = self.oldest;
        self.clusters.use_slots(MIN_USED);
    }

    /// The share of entries stored by the current search, `0.0..=1.0`, estimated from a sample.
    pub fn fill(&self) -> f64 {
        let used = self.clusters.used_slots();
        let sample = &self.clusters.slots()[..used.min(FILL_SAMPLE * CLUSTER)];
        let fresh = sample
            .iter()
            .filter(|slot| PackedEntry(slot.load()).generation() == self.generation)
            .count();
        let share_of_used = fresh as f64 / sample.len().max(1) as f64;
        share_of_used * used as f64 / self.len().max(1) as f64
    }

    /// Prefetches the cluster of a key that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        if let Some(slot) = self.clusters.of_key(key.0).first() {
            prefetch(slot);
        }
    }

    /// The entry of a position `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        self.clusters.of_key(key.0).iter().find_map(|slot| self.known(slot, key))?.unpack(ply)
    }

    /// Stores an entry for a position `ply` plies from the root. An entry without a move keeps the
    /// move already stored.
    #[inline]
    pub fn store(&self, key: Key, ply: usize, mut entry: Entry) {
        let Some(slot) = self.slot_of(key) else {
            return;
        };
        if entry.mv.is_none() {
            entry.mv = self.known(slot, key).and_then(PackedEntry::mv);
        }
        slot.store(key.0, PackedEntry::new(entry, ply, self.generation).0);
    }

    /// The slot that holds a key, or else the least valuable slot of its cluster.
    #[inline]
    fn slot_of(&self, key: Key) -> Option<&Slot> {
        self.clusters.of_key(key.0).iter().min_by_key(|slot| {
            if self.known(slot, key).is_some() {
                return i32::MIN;
            }
            self.value(PackedEntry(slot.load()))
        })
    }

    /// The entry of a slot if it belongs to `key` and has not been cleared.
    #[inline(always)]
    fn known(&self, slot: &Slot, key: Key) -> Option<PackedEntry> {
        slot.load_for(key.0).map(PackedEntry).filter(|entry| entry.generation() >= self.oldest)
    }

    /// How much an entry is worth keeping: deeper and more recent is better.
    #[inline(always)]
    fn value(&self, entry: PackedEntry) -> i32 {
        if entry.generation() < self.oldest {
            return i32::MIN + 1;
        }
        let age = i32::from(self.generation) - i32::from(entry.generation());
        i32::from(entry.depth()) - AGE_WEIGHT * age
    }
}
