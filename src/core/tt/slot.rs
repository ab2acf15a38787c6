//! The memory of the table: slots of one packed entry each, shared between threads without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use crate::board::PackedMove;
use crate::memory::{wipe, zeroed};
use crate::position::Key;
use crate::score::{Bound, Score};

use super::Entry;

/// The generation of an entry: the number of the search that stored it, counted from 1 since the
/// memory was allocated.
pub type Generation = u16;

/// An entry packed into 64 bits. The fields and their widths in bits, from the lowest bit: move 16,
/// score 16, depth 8, bound 2, unused 6, generation 16. Zero, which has no valid generation, is an
/// empty entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedEntry(pub u64);

impl PackedEntry {
    /// Packs an entry for a position `ply` plies from the root.
    #[inline(always)]
    pub fn new(entry: Entry, ply: usize, generation: Generation) -> Self {
        let mv = entry.mv.map_or(0, PackedMove::bits);
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        PackedEntry(
            u64::from(mv)
                | u64::from(relative_to_position(entry.score, ply).0 as u16) << 16
                | u64::from(entry.depth) << 32
                | bound << 40
                | u64::from(generation) << 48,
        )
    }

    /// Unpacks the entry for a position `ply` plies from the root; `None` if empty.
    #[inline(always)]
    pub fn unpack(self, ply: usize) -> Option<Entry> {
        let bound = match self.0 >> 40 & 3 {
            0 => return None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        Some(Entry {
            mv: self.mv(),
            score: relative_to_root(Score((self.0 >> 16) as i16), ply),
            bound,
            depth: self.depth(),
        })
    }

    #[inline(always)]
    pub fn mv(self) -> Option<PackedMove> {
        PackedMove::from_bits(self.0 as u16)
    }

    #[inline(always)]
    pub fn depth(self) -> u8 {
        (self.0 >> 32) as u8
    }

    #[inline(always)]
    pub fn generation(self) -> Generation {
        (self.0 >> 48) as Generation
    }
}

/// Converts a score that counts the plies to the end of the game from the root to one that counts
/// them from the position, since the position may recur at another ply.
#[inline(always)]
fn relative_to_position(score: Score, ply: usize) -> Score {
    shifted(score, ply as i16)
}

/// The inverse of [`relative_to_position`].
#[inline(always)]
fn relative_to_root(score: Score, ply: usize) -> Score {
    shifted(score, -(ply as i16))
}

#[inline(always)]
fn shifted(score: Score, plies: i16) -> Score {
    match score.is_decisive() {
        false => score,
        true if score > Score::DRAW => Score(score.0 + plies),
        true => Score(score.0 - plies),
    }
}

/// The memory of one entry: two words with the XOR trick (R. M. Hyatt and T. Mann, *A lock-less
/// transposition table implementation for parallel search*, ICGA Journal 25, 2002). A torn entry,
/// with one word from each of two threads, does not match its key.
#[derive(Debug, Zeroable)]
pub struct Slot {
    /// The key XOR the entry.
    check: AtomicU64,
    entry: AtomicU64,
}

impl Slot {
    /// The entry, without checking its key.
    #[inline(always)]
    pub fn load(&self) -> PackedEntry {
        PackedEntry(self.entry.load(Relaxed))
    }

    /// The entry if it belongs to `key`. An empty slot has key 0.
    #[inline(always)]
    pub fn load_for(&self, key: Key) -> Option<PackedEntry> {
        let entry = self.load();
        (self.check.load(Relaxed) ^ entry.0 == key.0).then_some(entry)
    }

    /// Replaces the entry.
    #[inline(always)]
    pub fn store(&self, key: Key, entry: PackedEntry) {
        self.check.store(key.0 ^ entry.0, Relaxed);
        self.entry.store(entry.0, Relaxed);
    }
}

/// The size of a cache line, in bytes.
const CACHE_LINE: usize = 64;

/// The number of slots that share an index; together they fill a cache line.
pub const CLUSTER: usize = CACHE_LINE / size_of::<Slot>();

/// Initially zeroed slots, aligned to a cache line.
#[derive(Debug, Default)]
pub struct SlotMemory {
    slots: Box<[Slot]>,
    /// The index of the first slot at the start of a cache line.
    first: usize,
}

impl SlotMemory {
    /// `slots` empty slots in committed memory; `None` if the system cannot provide the memory.
    ///
    /// A few spare slots make alignment possible, as a box guarantees only the alignment of its
    /// type.
    pub fn new(slots: usize) -> Option<Self> {
        const SPARE: usize = CLUSTER - 1;
        let slots: Box<[Slot]> = zeroed(slots.checked_add(SPARE)?)?;
        let first = slots.as_ptr().align_offset(CACHE_LINE);
        // If alignment is impossible, unaligned clusters still work.
        Some(SlotMemory { first: if first <= SPARE { first } else { 0 }, slots })
    }

    /// The slots; at least as many as requested.
    #[inline(always)]
    pub fn get(&self) -> &[Slot] {
        &self.slots[self.first..]
    }

    /// Empties all slots. The memory is kept.
    pub fn wipe(&mut self) {
        wipe(&mut self.slots);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacks_what_was_packed() {
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for (bits, score, depth) in [(0, 0, 0), (1, -1, 1), (u16::MAX, -7_999, u8::MAX)] {
                let mv = PackedMove::from_bits(bits);
                let entry = Entry { mv, score: Score(score), bound, depth };
                for generation in [1, Generation::MAX] {
                    let packed = PackedEntry::new(entry, 3, generation);
                    assert_eq!(packed.unpack(3), Some(entry));
                    assert_eq!(packed.generation(), generation);
                }
            }
        }
    }

    #[test]
    fn zero_is_empty() {
        assert_eq!(PackedEntry(0).unpack(0), None);
    }

    #[test]
    fn a_torn_entry_does_not_match() {
        let slot = Slot::zeroed();
        slot.store(Key(1), PackedEntry(5));
        assert_eq!(slot.load_for(Key(1)), Some(PackedEntry(5)));
        slot.entry.store(6, Relaxed);
        assert_eq!(slot.load_for(Key(1)), None);
    }

    #[test]
    fn has_the_requested_slots_aligned_to_cache_lines() {
        for slots in [0, 1, 4, 1 << 16, (1 << 17) + 4, 1 << 20] {
            let memory = SlotMemory::new(slots).unwrap();
            assert!((slots..slots + CLUSTER).contains(&memory.get().len()), "{slots}");
            assert_eq!(memory.get().as_ptr().addr() % CACHE_LINE, 0, "{slots}");
        }
    }

    #[test]
    fn refuses_too_much_memory() {
        assert!(SlotMemory::new(usize::MAX).is_none());
        assert!(SlotMemory::new(usize::MAX / 32).is_none());
    }
}
