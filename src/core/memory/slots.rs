//! Slots of a key and a value, shared between threads without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use super::{wipe, zeroed};

/// Stores a key and its value in two words, using the XOR trick (R. M. Hyatt and T. Mann, *A
/// lock-less transposition table implementation for parallel search*, ICGA Journal 25, 2002). A
/// torn slot, with one word from each of two threads, does not match its key.
#[derive(Debug, Zeroable)]
pub struct Slot {
    /// The key XOR the value.
    check: AtomicU64,
    value: AtomicU64,
}

impl Slot {
    /// The value, without checking its key.
    #[inline(always)]
    pub fn load(&self) -> u64 {
        self.value.load(Relaxed)
    }

    /// The value if it belongs to `key`. An empty slot has key 0 and value 0.
    #[inline(always)]
    pub fn load_for(&self, key: u64) -> Option<u64> {
        let value = self.load();
        (self.check.load(Relaxed) ^ value == key).then_some(value)
    }

    /// Replaces key and value.
    #[inline(always)]
    pub fn store(&self, key: u64, value: u64) {
        self.check.store(key ^ value, Relaxed);
        self.value.store(value, Relaxed);
    }
}

/// The size of a cache line, in bytes.
const CACHE_LINE: usize = 64;

/// The number of slots of a cluster; together they fill a cache line.
pub const CLUSTER: usize = CACHE_LINE / size_of::<Slot>();

/// Clusters of initially empty slots, each aligned to a cache line.
#[derive(Debug, Default)]
pub struct Clusters {
    slots: Box<[Slot]>,
    /// The index of the first slot at the start of a cache line.
    first: usize,
    /// The number of clusters: a power of two, or 0 if no memory was available.
    count: usize,
    /// The number of clusters in use, the first ones: a power of two, or 0.
    used: usize,
}

impl Clusters {
    /// 2^`size` slots. All their memory is committed here, so that later accesses need not wait for
    /// page faults. If there is too little memory, allocates as many slots as fit.
    pub fn new(size: u32) -> Self {
        largest(size, Self::allocate).unwrap_or_default()
    }

    /// `count` clusters; `None` if the system cannot provide the memory.
    ///
    /// A few spare slots make alignment possible, as a box guarantees only the alignment of its
    /// type.
    fn allocate(count: usize) -> Option<Self> {
        const SPARE: usize = CLUSTER - 1;
        let slots: Box<[Slot]> = zeroed(count.checked_mul(CLUSTER)?.checked_add(SPARE)?)?;
        let first = slots.as_ptr().align_offset(CACHE_LINE);
        // If alignment is impossible, unaligned clusters still work.
        let first = if first <= SPARE { first } else { 0 };
        Some(Clusters { slots, first, count, used: count })
    }

    /// The number of slots.
    pub fn slot_count(&self) -> usize {
        self.count * CLUSTER
    }

    /// Restricts keys to the first clusters, as few as hold `slots` slots, or all if there are not
    /// enough. A small part of a large table stays in the processor's caches. Keys whose cluster
    /// changes lose their value.
    pub fn use_slots(&mut self, slots: usize) {
        let clusters = slots.div_ceil(CLUSTER).checked_next_power_of_two();
        self.used = clusters.map_or(self.count, |clusters| clusters.min(self.count));
    }

    /// The number of slots in use.
    pub fn used_slots(&self) -> usize {
        self.used * CLUSTER
    }

    /// All slots.
    pub fn slots(&self) -> &[Slot] {
        &self.slots[self.first..][..self.slot_count()]
    }

    /// The cluster of a key; empty if there are no clusters.
    #[inline(always)]
    pub fn of_key(&self, key: u64) -> &[Slot] {
        if self.used == 0 {
            return &[];
        }
        let index = key as usize & (self.used - 1);
        &self.slots[self.first..][index * CLUSTER..][..CLUSTER]
    }

    /// Empties all slots. The memory is kept.
    pub fn wipe(&mut self) {
        wipe(&mut self.slots);
    }
}

/// Allocates as many clusters as fit in memory, of at most 2^`size` slots together. `None` if
/// `allocate` fails for every number.
fn largest<T>(size: u32, allocate: impl Fn(usize) -> Option<T>) -> Option<T> {
    let sizes = (0..=size).rev().filter_map(|size| 1_usize.checked_shl(size));
    sizes.map(|slots| slots / CLUSTER).find_map(allocate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_slot_does_not_match() {
        let slot = Slot::zeroed();
        slot.store(1, 5);
        assert_eq!(slot.load_for(1), Some(5));
        slot.value.store(6, Relaxed);
        assert_eq!(slot.load_for(1), None);
    }

    #[test]
    fn has_the_requested_clusters_aligned_to_cache_lines() {
        for count in [0, 1, 4, 1 << 14, (1 << 15) + 1, 1 << 18] {
            let clusters = Clusters::allocate(count).unwrap();
            assert_eq!(clusters.slot_count(), count * CLUSTER);
            assert_eq!(clusters.slots().len(), count * CLUSTER);
            assert_eq!(clusters.slots().as_ptr().addr() % CACHE_LINE, 0, "{count}");
        }
    }

    #[test]
    fn refuses_too_much_memory() {
        assert!(Clusters::allocate(usize::MAX).is_none());
        assert!(Clusters::allocate(usize::MAX / 128).is_none());
    }

    #[test]
    fn shrinks_to_the_available_memory() {
        let limited_to = |max| move |clusters| (clusters <= max).then_some(clusters);
        for size in [12, 40, 62, 63, 64, 200] {
            assert_eq!(largest(size, limited_to(1_250)), Some(1_024), "{size}");
            assert_eq!(largest(size, |_| None::<()>), None, "{size}");
        }
        assert_eq!(largest(11, limited_to(1_250)), Some(512));
        assert_eq!(largest(1, limited_to(1_250)), Some(0));
    }
}
