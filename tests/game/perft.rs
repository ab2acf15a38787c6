//! Checks every row of `perft.tsv`: leaf counts on which at least two independent programs agree.
//!
//! Deep rows have billions of leaves, so for the first half of the depth equal positions are merged
//! and weighted by the number of paths to them; below that the leaves are counted one by one.

use std::collections::{BTreeMap, HashMap};

use manoury::erased::{PerftTable, Position};
use manoury::notation::fen;
use manoury::rules::Variant;
use rayon::prelude::*;

use crate::game::table;

/// The positions a fixed number of plies below another, with the number of paths to each.
type Paths = HashMap<Position, u64>;

fn after_every_move(paths: &Paths) -> Paths {
    let mut next = Paths::new();
    for (position, count) in paths {
        for mv in position.legal_moves() {
            *next.entry(position.after(mv)).or_default() += count;
        }
    }
    next
}

fn leaves(paths: &Paths, depth: u32) -> u64 {
    paths.par_iter().map(|(position, count)| count * position.perft(depth)).sum()
}

/// The table is so small that counts replace each other.
#[test]
fn a_table_does_not_change_the_counts() {
    for row in table::rows("perft.tsv").iter().filter(|row| row.get("variant") != "thai") {
        let (depth, expected) = (row.get("depth").parse().unwrap(), row.get("nodes"));
        let expected: u64 = expected.parse().unwrap();
        if expected > FEW_LEAVES {
            continue;
        }
        let position = fen::parse(row.variant(), row.get("fen")).unwrap();
        let counts = PerftTable::new(10);
        let found = position.perft_with(depth, Some(&counts));
        assert_eq!(found, expected, "{position} {depth}");
        let divided = position.divide(depth, Some(&counts));
        assert_eq!(divided.iter().map(|(_, leaves)| leaves).sum::<u64>(), expected, "{position}");
    }
}

/// Counts the leaves below a position at each expected depth; returns what is wrong.
fn count(variant: Variant, fen: &str, expected: &BTreeMap<u32, u64>) -> Vec<String> {
    let mut paths = Paths::from([(fen::parse(variant, fen).unwrap(), 1)]);
    let mut plies = 0;
    let mut wrong = Vec::new();
    for (&depth, &expected) in expected {
        while plies < depth / 2 {
            paths = after_every_move(&paths);
            plies += 1;
        }
        let found = leaves(&paths, depth - plies);
        if found != expected {
            wrong.push(format!("{variant} {fen} {depth}: {found}, not {expected}"));
        }
    }
    wrong
}

/// The maximum number of leaves of the rows that a plain `cargo test` checks.
const FEW_LEAVES: u64 = 5_000_000;

/// Checks the rows with some numbers of leaves; there must be at least `least` positions.
fn check(is_chosen: impl Fn(u64) -> bool, least: usize) {
    let mut positions = BTreeMap::<_, BTreeMap<u32, u64>>::new();
    let rows = table::rows("perft.tsv");
    for row in &rows {
        if row.get("variant") == "thai" {
            continue; // a game Manoury does not play
        }
        let depth = row.get("depth").parse().unwrap();
        let leaves = row.get("nodes").parse().unwrap();
        if !is_chosen(leaves) {
            continue;
        }
        let key = (row.variant().name(), row.get("fen"));
        positions.entry(key).or_default().insert(depth, leaves);
    }
    assert!(positions.len() >= least, "{}", positions.len());
    let wrong: Vec<String> = positions
        .par_iter()
        .flat_map(|((variant, fen), expected)| count(variant.parse().unwrap(), fen, expected))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rows_with_few_leaves() {
    check(|leaves| leaves <= FEW_LEAVES, 50);
}

#[test]
#[ignore = "slow: billions of leaves"]
fn rows_with_many_leaves() {
    check(|leaves| leaves > FEW_LEAVES, 10);
}
