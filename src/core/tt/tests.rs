//! Tests of the whole table.

use std::thread;

use super::*;
use crate::board::{BitMove, Board10, Geometry};

fn entry(score: Score, depth: u8) -> Entry {
    let square = |number| Board10::square(number).unwrap();
    Entry {
        mv: Some(BitMove::<Board10>::quiet(square(32), square(28)).into()),
        score,
        bound: Bound::Lower,
        depth,
    }
}

/// Keys that all map to the same cluster.
fn key(n: u64) -> Key {
    Key(n << 32 | 5)
}

/// A pseudo-random number for each `n`.
fn random(n: u64) -> u64 {
    let z = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    z ^ (z >> 32)
}

#[test]
fn probes_what_was_stored() {
    let table = TranspositionTable::new(16);
    assert_eq!(table.len(), 1 << 16);
    for score in [Score(-137), Score(0), Score(7_999), Score(-7_999)] {
        table.store(Key(42), 3, entry(score, 7));
        assert_eq!(table.probe(Key(42), 9), Some(entry(score, 7)));
    }
    assert_eq!(table.probe(Key(43), 3), None);
    assert_eq!(table.probe(Key(0), 0), None);
}

#[test]
fn mate_scores_count_from_the_root_of_each_search() {
    let table = TranspositionTable::new(16);
    table.store(Key(1), 4, entry(Score::win_in(11), 7));
    table.store(Key(2), 4, entry(Score::loss_in(11), 7));
    assert_eq!(table.probe(Key(1), 2).unwrap().score, Score::win_in(9));
    assert_eq!(table.probe(Key(2), 6).unwrap().score, Score::loss_in(13));
}

#[test]
fn an_entry_without_a_move_keeps_the_stored_move() {
    let table = TranspositionTable::new(16);
    table.store(Key(1), 0, entry(Score(5), 7));
    let without = Entry { mv: None, ..entry(Score(6), 8) };
    table.store(Key(1), 0, without);
    assert_eq!(table.probe(Key(1), 0), Some(entry(Score(6), 8)));
}

#[test]
fn replaces_old_and_shallow_entries_first() {
    let mut table = TranspositionTable::new(16);
    for n in 0..4 {
        table.store(key(n), 0, entry(Score(0), 10 - n as u8));
    }
    table.store(key(4), 0, entry(Score(0), 1));
    assert_eq!(table.probe(key(3), 0), None);
    table.age(u64::MAX);
    table.store(key(5), 0, entry(Score(0), 1));
    table.store(key(6), 0, entry(Score(0), 1));
    for n in [1, 2, 3, 4] {
        let is_kept = table.probe(key(n), 0).is_some();
        assert_eq!(is_kept, n == 1, "{n}");
    }
}

#[test]
fn without_memory_it_stores_nothing() {
    let mut table = TranspositionTable::new(0);
    assert!(table.is_empty());
    table.store(Key(9), 0, entry(Score(5), 7));
    table.prefetch(Key(9));
    assert_eq!(table.probe(Key(9), 0), None);
    table.age(u64::MAX);
    table.clear();
    assert_eq!(table.fill(), 0.0);
    assert!(table.is_empty());
}

#[test]
fn every_size_stores_entries_everywhere() {
    for size in 16..=24 {
        let table = TranspositionTable::new(size);
        assert_eq!(table.len(), 1 << size);
        for n in 0..1_000 {
            let key = Key(random(n));
            table.prefetch(key);
            table.store(key, 0, entry(Score(n as i16), 7));
        }
        let found = (0..1_000)
            .filter(|&n| table.probe(Key(random(n)), 0) == Some(entry(Score(n as i16), 7)));
        assert_eq!(found.count(), 1_000, "{size}");
    }
}

#[test]
fn a_cluster_is_a_cache_line() {
    for size in [2, 10, 16, 20] {
        let table = TranspositionTable::new(size);
        for n in 0..100 {
            let cluster = table.clusters.of_key(random(n));
            assert_eq!(cluster.as_ptr().addr() % 64, 0, "{size}");
            assert_eq!(size_of_val(cluster), 64);
        }
    }
}

#[test]
fn clearing_removes_all_entries() {
    let mut table = TranspositionTable::new(16);
    for n in 0..1_000 {
        table.store(Key(random(n)), 0, entry(Score(0), 7));
    }
    table.clear();
    assert!((0..1_000).all(|n| table.probe(Key(random(n)), 0).is_none()));
    let without = Entry { mv: None, ..entry(Score(0), 3) };
    table.store(Key(random(5)), 0, without);
    assert_eq!(table.probe(Key(random(5)), 0), Some(without), "a cleared move came back");
}

/// Stores and probes entries, aging the table at intervals. Returns the result of each probe.
fn exercise(table: &mut TranspositionTable, seed: u64) -> Vec<Option<Entry>> {
    (0..5_000)
        .map(|n| {
            if n % 700 == 0 {
                table.age(u64::MAX);
            }
            let key = Key(random(seed + n) % 3_000);
            let found = table.probe(key, 0);
            table.store(key, 0, entry(Score(n as i16), random(n) as u8 % 30));
            found
        })
        .collect()
}

#[test]
fn a_cleared_table_behaves_like_a_new_one() {
    let mut used = TranspositionTable::new(8);
    for game in 0..10 {
        assert_eq!(
            exercise(&mut used, 900 * game),
            exercise(&mut TranspositionTable::new(8), 900 * game),
            "{game}"
        );
        used.clear();
    }
}

#[test]
fn generations_never_run_out() {
    let mut table = TranspositionTable::new(8);
    let address = table.clusters.slots().as_ptr();
    for game in 0..3 * u32::from(Generation::MAX) {
        table.store(key(1), 0, entry(Score(0), 7));
        table.clear();
        assert_eq!(table.probe(key(1), 0), None, "{game}");
    }
    assert_eq!(table.len(), 1 << 8);
    assert_eq!(table.clusters.slots().as_ptr(), address, "the memory is kept");
    for search in 0..2 * u32::from(Generation::MAX) {
        table.store(key(u64::from(search)), 0, entry(Score(0), 7));
        table.age(u64::MAX);
        assert!(table.probe(key(u64::from(search)), 0).is_some(), "{search}");
    }
    table.clear();
    assert_eq!(exercise(&mut table, 0), exercise(&mut TranspositionTable::new(8), 0));
}

#[test]
fn estimates_how_full_it_is() {
    let mut table = TranspositionTable::new(12);
    assert_eq!(table.fill(), 0.0);
    for n in 0..1 << 11 {
        table.store(Key(random(n)), 0, entry(Score(0), 7));
    }
    assert!((0.4..0.55).contains(&table.fill()), "{}", table.fill());
    for n in 0..1 << 16 {
        table.store(Key(random(n)), 0, entry(Score(0), 7));
    }
    assert_eq!(table.fill(), 1.0);
    table.age(u64::MAX);
    assert_eq!(table.fill(), 0.0);
}

#[test]
fn short_searches_use_part_of_the_table() {
    let mut table = TranspositionTable::new(19);
    let slots_of = |table: &TranspositionTable| {
        let keys = 0..1 << 19;
        let slots = keys.map(|key| table.clusters.of_key(key).as_ptr().addr());
        slots.collect::<std::collections::BTreeSet<_>>().len() * CLUSTER
    };
    for (nodes, used) in [(1, MIN_USED), (12_000, 1 << 18), (1, 1 << 18), (u64::MAX, 1 << 19)] {
        table.age(nodes);
        assert_eq!(slots_of(&table), used, "{nodes}");
        table.store(Key(42), 0, entry(Score(1), 7));
        assert_eq!(table.probe(Key(42), 0), Some(entry(Score(1), 7)));
    }
    assert_eq!(table.len(), 1 << 19);
    table.clear();
    table.age(3_000);
    assert_eq!(slots_of(&table), 1 << 16);
    for n in 0..1 << 20 {
        table.store(Key(random(n)), 0, entry(Score(0), 7));
    }
    assert_eq!(table.fill(), 0.125);
}

/// The entry that the threads of the stress test store for a key and variant, derived from both.
fn derived(key: Key, variant: u64) -> Entry {
    let bits = random(key.0 ^ variant);
    Entry {
        mv: PackedMove::from_bits(bits as u16 | 1),
        score: Score((bits >> 16) as i16 % 8_000),
        bound: [Bound::Upper, Bound::Lower, Bound::Exact][(bits >> 32) as usize % 3],
        depth: (bits >> 40) as u8,
    }
}

#[test]
fn threads_find_only_what_one_of_them_stored() {
    const VARIANTS: u64 = 3;
    let table = TranspositionTable::new(4);
    let hits = thread::scope(|scope| {
        let threads: Vec<_> = (0..4_u64)
            .map(|thread| {
                let table = &table;
                scope.spawn(move || {
                    let mut hits = 0;
                    for n in 0..200_000 {
                        let choice = random(thread << 32 | n);
                        let key = Key(random(choice % 40));
                        table.store(key, 0, derived(key, choice >> 32 & VARIANTS));
                        let key = Key(random(choice >> 40 & 31));
                        if let Some(found) = table.probe(key, 0) {
                            let is_derived = (0..=VARIANTS).any(|v| found == derived(key, v));
                            assert!(is_derived, "{key:?} {found:?}");
                            hits += 1;
                        }
                    }
                    hits
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum::<u32>()
    });
    assert!(hits > 10_000, "{hits}");
}
