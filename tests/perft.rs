//! Every row of `perft.tsv`: leaf counts that at least two independent programs agree on.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod table;

use std::collections::BTreeMap;

use manoury::movegen::perft_parallel;
use manoury::notation::fen;
use manoury::rules::{Rules, Variant, VariantVisitor};
use rayon::prelude::*;

/// Counts the leaves below one position at several depths; returns what is wrong.
struct Count<'a> {
    fen: &'a str,
    /// Depth and leaves.
    expected: &'a [(u32, u64)],
}

impl VariantVisitor for Count<'_> {
    type Output = Vec<String>;

    fn visit<R: Rules>(self) -> Self::Output {
        let position = fen::parse::<R>(self.fen).unwrap();
        let wrong = self.expected.par_iter().filter_map(|&(depth, leaves)| {
            let found = perft_parallel(&position, depth);
            let (variant, fen) = (R::VARIANT, self.fen);
            (found != leaves).then(|| format!("{variant} {fen} {depth}: {found}, not {leaves}"))
        });
        wrong.collect()
    }
}

#[test]
fn every_row() {
    let mut positions = BTreeMap::<_, Vec<_>>::new();
    let rows = table::rows("perft.tsv");
    for row in &rows {
        if ["turkish", "thai"].contains(&row.get("variant")) {
            continue; // not among our games
        }
        let variant: Variant = row.get("variant").parse().unwrap();
        let expected = (
            row.get("depth").parse().unwrap(),
            row.get("nodes").parse().unwrap(),
        );
        positions
            .entry((variant.name(), row.get("fen")))
            .or_default()
            .push(expected);
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
