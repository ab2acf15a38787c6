//! The transposition table: what earlier searches found, by position key.
//!
//! It knows keys and packed moves, not positions. Threads share it without locks: `slot` is the place
//! of an entry, `data` how it is packed there, `slots` where they live, `room` whether they fit
//! into the machine.

mod data;
mod room;
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

pub use room::{NoRoom, check_room};

/// How much depth an entry of an earlier search is worth less, for each search since.
const AGE_WEIGHT: i32 = 8;

/// How many searches without a clear are told apart by age.
const SEARCHES: Date = Date::MAX / 2;

/// The clusters at which [`Table::fill`] looks.
const SAMPLE: usize = 256;

/// What a search found out about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, or the one that refuted the position; to be looked for among the legal ones.
    pub mv: Option<PackedMove>,
    /// The score for the side to move, the ends of games counted from the root.
    pub score: Score,
    /// What the score says about the true one.
    pub bound: Bound,
    /// The depth searched below the position, in plies, `0..=255`.
    pub depth: u8,
}

/// A transposition table.
#[derive(Debug)]
pub struct Table {
    slots: Slots,
    /// A power of two; 0 if there was no memory at all.
    clusters: usize,
    /// Entries from before this date are as good as empty slots.
    cleared: Date,
    /// The date of the search now: from `cleared` to `cleared + SEARCHES`.
    now: Date,
}

impl Table {
    /// A table of 2^`size` entries of 16 bytes. Memory is taken from the system as it is first
    /// used. If it refuses so much, the table becomes as large as it allows; without any memory it
    /// forgets everything.
    pub fn new(size: u32) -> Self {
        let sizes = (0..=size).rev().filter_map(|size| 1_usize.checked_shl(size));
        let (slots, clusters) = sizes
            .map(|entries| entries / CLUSTER)
            .find_map(|clusters| Some((Slots::new(clusters * CLUSTER)?, clusters)))
            .unwrap_or_default();
        Table { slots, clusters, cleared: 1, now: 1 }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.clusters * CLUSTER
    }

    /// Whether there is no entry at all, for want of memory.
    pub fn is_empty(&self) -> bool {
        self.clusters == 0
    }

    /// Starts a new search: what is in the table now gives way to what it will store.
    pub fn age(&mut self) {
        self.now = (self.now + 1).min(self.cleared + SEARCHES);
    }

    /// Forgets everything: searches find what they would with a new table. The memory stays in use,
    /// which saves the next search from getting it page by page, and is not even touched: all that
    /// is in it becomes too old to count.
    pub fn clear(&mut self) {
        if self.now > SEARCHES {
            // No dates are left for one more long game; one in thousands comes here.
            *self = Table::new(self.len().checked_ilog2().unwrap_or_default());
        } else {
            self.cleared = self.now + 1;
            self.now = self.cleared;
        }
    }

    /// How full the table is of what the search now has stored, `0.0..=1.0`, judged from a sample.
    pub fn fill(&self) -> f64 {
        let sample = &self.slots.get()[..self.len().min(SAMPLE * CLUSTER)];
        let fresh = sample.iter().filter(|slot| slot.data().date() == self.now).count();
        fresh as f64 / sample.len().max(1) as f64
    }

    /// Announces that a key will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        if let Some(slot) = self.cluster(key).first() {
            prefetch(slot);
        }
    }

    /// What is known about a position met `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        self.cluster(key).iter().find_map(|slot| self.known(slot, key))?.entry(ply)
    }

    /// Remembers an entry about a position met `ply` plies from the root. An entry without a move
    /// keeps the one known so far.
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

    /// The slot of a key, else the one of its cluster that is worth least.
    #[inline]
    fn slot_for(&self, key: Key) -> Option<&Slot> {
        self.cluster(key).iter().min_by_key(|slot| {
            if self.known(slot, key).is_some() {
                return i32::MIN;
            }
            self.value(slot.data())
        })
    }

    /// The data of a slot if they are about a key and still count.
    #[inline(always)]
    fn known(&self, slot: &Slot, key: Key) -> Option<Data> {
        slot.about(key).filter(|data| data.date() >= self.cleared)
    }

    /// How much data are worth keeping: deep and recent ones are.
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
