//! Bitbases: made, stored, and looked into, against tables of known counts and positions and a plain
//! solver. One program for all, because what takes time is building it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cli;
mod counts;
mod files;
mod in_time;
mod plain;
#[path = "../game/table.rs"]
mod table;
mod values;

use std::path::Path;

use manoury::bitbase::{Bitbases, Watch, generate};
use manoury::rules::Rules;

/// Somebody who lets the work go on to its end.
struct Patience;

impl Watch for Patience {
    fn advance(&self, _: u64) {}

    fn is_stopped(&self) -> bool {
        false
    }
}

/// Makes the bitbases of a game, unless they are there, distances and all, and opens them.
fn made<R: Rules>(folder: &Path, pieces: usize) -> Bitbases<R> {
    generate::<R>(folder, pieces, true, &Patience).unwrap();
    let mut bitbases = Bitbases::none();
    assert!(bitbases.open(folder, pieces).is_empty());
    bitbases
}
