//! The transposition table: what earlier searches found, by position key.
//!
//! It knows keys and packed moves, not positions. Entries are pairs of atomic words stored with the
//! exclusive-or trick (R. M. Hyatt and T. Mann, *A lock-less transposition table implementation for
//! parallel search*, ICGA Journal 25, 2002): an entry that two threads have torn does not match its
//! key. So a table may be shared without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::board::PackedMove;
use crate::position::Key;
use crate::score::{Bound, Score};

/// Entries that share an index: a cache line of them.
const CLUSTER: usize = 4;

/// The bytes of a cluster.
const CLUSTER_BYTES: usize = CLUSTER * size_of::<Slot>();

/// How much depth an entry of an earlier search is worth less, for each search since.
const AGE_WEIGHT: i32 = 8;

/// Generations are counted modulo this.
const GENERATIONS: u8 = 64;

/// The key exclusive-or the data, then the data. All zero is empty.
type Slot = [AtomicU64; 2];

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
    slots: Box<[Slot]>,
    /// The first slot at the start of a cache line.
    first: usize,
    /// A power of two; 0 if there was no memory at all.
    clusters: usize,
    generation: u8,
}

impl Table {
    /// A table of 2^`size` entries of 16 bytes. Memory is taken from the system as it is first
    /// used. If it refuses so much, the table becomes as large as it allows; without any memory it
    /// forgets everything.
    pub fn new(size: u32) -> Self {
        (0..=size)
            .rev()
            .find_map(|size| Self::try_new(1_usize.checked_shl(size)?))
            .unwrap_or(Table { slots: Box::default(), first: 0, clusters: 0, generation: 0 })
    }

    fn try_new(entries: usize) -> Option<Self> {
        let clusters = entries / CLUSTER;
        let slots: Box<[Slot]> =
            bytemuck::allocation::try_zeroed_slice_box(entries.checked_add(CLUSTER)?).ok()?;
        let first = slots.as_ptr().align_offset(CLUSTER_BYTES);
        Some(Table {
            // Where nothing can be aligned, unaligned clusters are as good.
            first: if first < CLUSTER { first } else { 0 },
            slots,
            clusters,
            generation: 0,
        })
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
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// What is known about a position met `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: Key, ply: usize) -> Option<Entry> {
        let data = self.cluster(key).iter().find_map(|slot| {
            let data = slot[1].load(Ordering::Relaxed);
            (slot[0].load(Ordering::Relaxed) ^ data == key.0).then_some(Data(data))
        })?;
        data.entry(ply)
    }

    /// Remembers an entry about a position met `ply` plies from the root. An entry without a move
    /// keeps the one known so far.
    #[inline]
    pub fn store(&self, key: Key, ply: usize, mut entry: Entry) {
        let Some(slot) = self.slot_for(key) else {
            return;
        };
        let old = slot[1].load(Ordering::Relaxed);
        let is_same = slot[0].load(Ordering::Relaxed) ^ old == key.0;
        if entry.mv.is_none() && is_same {
            entry.mv = Data(old).mv();
        }
        let data = Data::new(entry, ply, self.generation);
        slot[0].store(key.0 ^ data.0, Ordering::Relaxed);
        slot[1].store(data.0, Ordering::Relaxed);
    }

    /// The slot of a key, else the one of its cluster that is worth least.
    #[inline]
    fn slot_for(&self, key: Key) -> Option<&Slot> {
        self.cluster(key).iter().min_by_key(|slot| {
            let data = slot[1].load(Ordering::Relaxed);
            if slot[0].load(Ordering::Relaxed) ^ data == key.0 {
                return i32::MIN;
            }
            Data(data).value(self.generation)
        })
    }

    #[inline(always)]
    fn cluster(&self, key: Key) -> &[Slot] {
        if self.clusters == 0 {
            return &[];
        }
        let index = key.0 as usize & (self.clusters - 1);
        &self.slots[self.first + index * CLUSTER..][..CLUSTER]
    }
}

/// An entry in 64 bits, from the lowest: move 16, score 16, depth 8, bound 2 (0 is empty),
/// generation 6.
#[derive(Clone, Copy)]
struct Data(u64);

impl Data {
    #[inline(always)]
    fn new(entry: Entry, ply: usize, generation: u8) -> Self {
        let mv = entry.mv.map_or(0, PackedMove::bits);
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        Data(
            u64::from(mv)
                | u64::from(from_here(entry.score, ply).0 as u16) << 16
                | u64::from(entry.depth) << 32
                | bound << 40
                | u64::from(generation) << 42,
        )
    }

    #[inline(always)]
    fn entry(self, ply: usize) -> Option<Entry> {
        let bound = match self.0 >> 40 & 3 {
            0 => return None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        Some(Entry {
            mv: self.mv(),
            score: from_root(Score((self.0 >> 16) as i16), ply),
            bound,
            depth: (self.0 >> 32) as u8,
        })
    }

    #[inline(always)]
    fn mv(self) -> Option<PackedMove> {
        PackedMove::from_bits(self.0 as u16)
    }

    /// How much the entry is worth keeping: deep and recent ones are.
    #[inline(always)]
    fn value(self, now: u8) -> i32 {
        if self.0 == 0 {
            return i32::MIN + 1;
        }
        let generation = (self.0 >> 42) as u8 % GENERATIONS;
        let age = (GENERATIONS + now - generation) % GENERATIONS;
        (self.0 >> 32 & 0xff) as i32 - AGE_WEIGHT * i32::from(age)
    }
}

/// A score with the plies to the end of the game counted from the position, not from the root: the
/// position may be met at another ply.
#[inline(always)]
fn from_here(score: Score, ply: usize) -> Score {
    shifted(score, ply as i16)
}

/// The opposite of [`from_here`].
#[inline(always)]
fn from_root(score: Score, ply: usize) -> Score {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board10, Geometry, Move};

    fn entry(score: Score, depth: u8) -> Entry {
        let square = |number| Board10::square(number).unwrap();
        Entry {
            mv: Some(Move::<Board10>::quiet(square(32), square(28)).into()),
            score,
            bound: Bound::Lower,
            depth,
        }
    }

    #[test]
    fn gives_back_what_was_stored() {
        let table = Table::new(16);
        assert_eq!(table.len(), 1 << 16);
        for score in [Score(-137), Score(0), Score(7_999), Score(-7_999)] {
            table.store(Key(42), 3, entry(score, 7));
            assert_eq!(table.probe(Key(42), 9), Some(entry(score, 7)));
        }
        assert_eq!(table.probe(Key(43), 3), None);
        assert_eq!(table.probe(Key(0), 0), None);
    }

    #[test]
    fn ends_of_games_are_counted_from_the_root_of_each_search() {
        let table = Table::new(16);
        table.store(Key(1), 4, entry(Score::win_in(11), 7));
        table.store(Key(2), 4, entry(Score::loss_in(11), 7));
        assert_eq!(table.probe(Key(1), 2).unwrap().score, Score::win_in(9));
        assert_eq!(table.probe(Key(2), 6).unwrap().score, Score::loss_in(13));
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_known_one() {
        let table = Table::new(16);
        table.store(Key(1), 0, entry(Score(5), 7));
        let without = Entry { mv: None, ..entry(Score(6), 8) };
        table.store(Key(1), 0, without);
        assert_eq!(table.probe(Key(1), 0), Some(entry(Score(6), 8)));
    }

    #[test]
    fn old_and_shallow_entries_give_way_first() {
        let mut table = Table::new(16);
        let key = |n: u64| Key(n << 32 | 5);
        for n in 0..4 {
            table.store(key(n), 0, entry(Score(0), 10 - n as u8));
        }
        table.store(key(4), 0, entry(Score(0), 1));
        assert_eq!(table.probe(key(3), 0), None);
        table.age();
        table.store(key(5), 0, entry(Score(0), 1));
        table.store(key(6), 0, entry(Score(0), 1));
        for n in [1, 2, 3, 4] {
            let is_kept = table.probe(key(n), 0).is_some();
            assert_eq!(is_kept, n == 1, "{n}");
        }
    }

    #[test]
    fn a_size_beyond_all_memory_becomes_smaller() {
        let table = Table::new(62);
        table.store(Key(9), 0, entry(Score(5), 7));
        assert!(table.is_empty() || table.probe(Key(9), 0).is_some());
    }

    #[test]
    fn a_torn_entry_does_not_match() {
        let table = Table::new(16);
        table.store(Key(1), 0, entry(Score(5), 7));
        let slot = table.slot_for(Key(1)).unwrap();
        slot[1].store(Data::new(entry(Score(6), 9), 0, 0).0, Ordering::Relaxed);
        assert_eq!(table.probe(Key(1), 0), None);
    }
}
