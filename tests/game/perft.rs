//! Every row of `perft.tsv`: leaf counts that at least two independent programs agree on.
//!
//! Deep rows have billions of leaves. So equal positions are merged for the first half of the way
//! and counted once, times the ways to get there; from there on the leaves are counted one by one.

use std::collections::{BTreeMap, HashMap};

use manoury::movegen::{legal_moves, perft};
use manoury::notation::fen;
use manoury::position::Position;
use manoury::rules::{Rules, Variant, VariantVisitor};
use rayon::prelude::*;

use crate::table;

/// The positions some plies below another, and how many ways lead to each.
type Ways<R> = HashMap<Position<R>, u64>;

fn after_every_move<R: Rules>(ways: &Ways<R>) -> Ways<R> {
    let mut next = Ways::new();
    for (position, count) in ways {
        for mv in legal_moves(position) {
            *next.entry(position.after(mv)).or_default() += count;
        }
    }
    next
}

fn leaves<R: Rules>(ways: &Ways<R>, depth: u32) -> u64 {
    ways.par_iter().map(|(position, count)| count * perft(position, depth)).sum()
}

/// Counts the leaves below one position at several depths; returns what is wrong.
struct Count<'a> {
    fen: &'a str,
    /// Leaves by depth.
    expected: &'a BTreeMap<u32, u64>,
}

impl VariantVisitor for Count<'_> {
    type Output = Vec<String>;

    fn visit<R: Rules>(self) -> Self::Output {
        let mut ways = Ways::from([(fen::parse::<R>(self.fen).unwrap(), 1)]);
        let mut plies = 0;
        let mut wrong = Vec::new();
        for (&depth, &expected) in self.expected {
            while plies < depth / 2 {
                ways = after_every_move(&ways);
                plies += 1;
            }
            let found = leaves(&ways, depth - plies);
            if found != expected {
                let (variant, fen) = (R::VARIANT, self.fen);
                wrong.push(format!("{variant} {fen} {depth}: {found}, not {expected}"));
            }
        }
        wrong
    }
}

#[test]
fn every_row() {
    let mut positions = BTreeMap::<_, BTreeMap<u32, u64>>::new();
    let rows = table::rows("perft.tsv");
    for row in &rows {
        if ["turkish", "thai"].contains(&row.get("variant")) {
            continue; // not among our games
        }
        let variant: Variant = row.get("variant").parse().unwrap();
        let depth = row.get("depth").parse().unwrap();
        let leaves = row.get("nodes").parse().unwrap();
        let key = (variant.name(), row.get("fen"));
        positions.entry(key).or_default().insert(depth, leaves);
    }
    assert!(positions.len() > 50);
    let wrong: Vec<String> = positions
        .par_iter()
        .flat_map(|((variant, fen), expected)| {
            let variant: Variant = variant.parse().unwrap();
            variant.visit(Count { fen, expected })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
