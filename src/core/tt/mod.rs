//! The transposition table: what earlier searches found, by position key.
//!
//! It deals in keys and packed moves, not positions. Threads share it without locks: `slot` is the
//! place of one entry, `data` its packing, `slots` the memory of all.

mod data;
mod slot;
mod slots;
#[cfg(test)]
mod tests;

use crate::board::PackedMove;
use crate::memory::prefetch;
use crate::position::Key;
use crate::score::{Bound, Score};

use data::{Data, Date};
use slot::Slot;
use slots::{CLUSTER, Slots};

/// The size of an entry, in bytes.
pub const ENTRY_BYTES: usize = size_of::<Slot>();

/// The replacement penalty of an entry, in plies of depth per search since it was stored.
const AGE_WEIGHT: i32 = 8;

/// The most searches told apart by age without a clear.
const SEARCHES: Date = Date::MAX / 2;

/// The number of clusters sampled by [`TranspositionTable::fill`].
const SAMPLE: usize = 256;

/// What a search found out about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, or the one that failed high; to be checked against the legal moves.
    pub mv: Option<PackedMove>,
    /// The score for the side to move, with plies to the end of the game counted from the root.
    pub score: Score,
    /// How the score relates to the true one.
    pub bound: Bound,
    /// The remaining depth it was searched to, in plies, `0..=255`.
    pub depth: u8,
}

/// A transposition table.
#[derive(Debug)]
pub struct TranspositionTable {
    slots: Slots,
    /// A power of two; 0 if no memory was available at all.
    clusters: usize,
    /// Entries older than this date count as empty.
    cleared: Date,
    /// The date of the current search: from `cleared` to `cleared + SEARCHES`.
    now: Date,
}

impl TranspositionTable {
    /// A table of 2^`size` entries of 16 bytes. All its memory is committed here, so that searches
    /// need not wait for it. If the system refuses this much, the table is as large as it allows;
    /// without any memory it stores nothing.
    pub fn new(size: u32) -> Self {
        let (slots, clusters) = largest(size, Slots::new).unwrap_or_default();
        TranspositionTable { slots, clusters, cleared: 1, now: 1 }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.clusters * CLUSTER
    }

    /// Whether there are no entries at all, for lack of memory.
    pub fn is_empty(&self) -> bool {
        self.clusters == 0
    }

    /// Starts a new search: it replaces entries of earlier ones first.
    pub fn age(&mut self) {
        self.now = (self.now + 1).min(self.cleared + SEARCHES);
    }

    /// Forgets everything: searches find what they would with a new table. The memory is kept, and
    /// mostly not even touched: all entries become too old to count.
    pub fn clear(&mut self) {
        if self.now > SEARCHES {
            // Too few dates are left for another long game; this happens once in thousands of
            // games.
            self.slots.wipe();
            self.now = 0;
        }
        self.cleared = self.now + 1;
        self.now = self.cleared;
    }

    /// The share of entries stored by the current search, `0.0..=1.0`, estimated from a sample.
    pub fn fill(&self) -> f64 {
        let sample = &self.slots.get()[..self.len().min(SAMPLE * CLUSTER)];
        let fresh = sample.iter().filter(|slot| slot.data().date() == self.now).count();
        fresh as f64 / sample.len().max(1) as f64
    }

    /// Prefetches the cluster of a key that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        if let Some(slot) = self.cluster(key).first() {
            prefetch(slot);
        }
    }

    /// The entry of a position `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        self.cluster(key).iter().find_map(|slot| self.known(slot, key))?.entry(ply)
    }

    /// Stores an entry for a position `ply` plies from the root. An entry without a move keeps the
    /// move already stored.
    #[inline]
    pub fn store(&self, key: Key, ply: usize, mut entry: Entry) {
        let Some(slot) = self.slot_for(key) else {
            return;
        };
        if entry.mv.is_none() {
            entry.mv = self.known(slot, key).and_then(Data::mv);
        }
        slot.set(key, Data::new(entry, ply, self.now));
    }

    /// The slot of a key if it is in the table, else the least valuable one of its cluster.
    #[inline]
    fn slot_for(&self, key: Key) -> Option<&Slot> {
        self.cluster(key).iter().min_by_key(|slot| {
            if self.known(slot, key).is_some() {
                return i32::MIN;
            }
            self.value(slot.data())
        })
    }

    /// The data of a slot if they belong to a key and have not been cleared.
    #[inline(always)]
    fn known(&self, slot: &Slot, key: Key) -> Option<Data> {
        slot.about(key).filter(|data| data.date() >= self.cleared)
    }

    /// How much data are worth keeping: deeper and more recent is better.
    #[inline(always)]
    fn value(&self, data: Data) -> i32 {
        if data.date() < self.cleared {
            return i32::MIN + 1;
        }
        let age = i32::from(self.now) - i32::from(data.date());
        i32::from(data.depth()) - AGE_WEIGHT * age
    }

    #[inline(always)]
    fn cluster(&self, key: Key) -> &[Slot] {
        if self.clusters == 0 {
            return &[];
        }
        let index = key.0 as usize & (self.clusters - 1);
        &self.slots.get()[index * CLUSTER..][..CLUSTER]
    }
}

/// What `make` makes of the most slots that it has memory for, at most 2^`size`; also their number
/// in clusters. `None` if it cannot make any.
fn largest<T>(size: u32, make: impl Fn(usize) -> Option<T>) -> Option<(T, usize)> {
    let sizes = (0..=size).rev().filter_map(|size| 1_usize.checked_shl(size));
    let mut clusters = sizes.map(|entries| entries / CLUSTER);
    clusters.find_map(|clusters| Some((make(clusters * CLUSTER)?, clusters)))
}
