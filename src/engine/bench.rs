//! A fixed amount of searching: its node count is the signature of the search, its time the measure
//! of its speed.

use std::time::{Duration, Instant};

use crate::door::Position;
use crate::eval::Evaluation;
use crate::notation::fen;
use crate::rules::Variant;
use crate::search::{Control, Limits};

use super::{Engine, Knowledge, Options};

/// The default depth in plies.
const DEPTH: u32 = 14;
/// The size of the transposition table: 16 MiB.
const TT_SIZE: u32 = 20;
/// The positions, one per line; lines that start with `#` are comments.
const POSITIONS: &str = include_str!("bench_positions.txt");

/// The nodes and the time of a bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Nodes of all searches. With one thread they are the same on every machine.
    pub nodes: u64,
    /// The time of all searches.
    pub time: Duration,
}

/// Searches 22 positions of international draughts, each as the first of a game, to a depth in
/// plies, by default 14. The engine knows the bitbases in the program and no others.
pub fn run(depth: Option<u32>, threads: usize, evaluation: &Evaluation) -> BenchResult {
    let limits = Limits { depth: Some(depth.unwrap_or(DEPTH)), ..Limits::default() };
    let knowledge = Knowledge::of_program(Variant::International, evaluation.clone());
    let options = Options { threads, tt_size: TT_SIZE, ..Options::default() };
    let mut engine = Engine::with(Variant::International, knowledge, options);
    let began = Instant::now();
    let nodes = positions()
        .map(|position| {
            engine.new_game();
            engine.set_position(position);
            engine.go(limits, &Control::new(), &mut |_| {}).info.nodes
        })
        .sum();
    BenchResult { nodes, time: began.elapsed() }
}

/// The positions of the bench.
fn positions() -> impl Iterator<Item = Position> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| fen::parse(Variant::International, line).ok())
}

#[cfg(test)]
mod tests {
    use crate::weights;

    use super::*;

    #[test]
    fn every_position_is_searched() {
        assert_eq!(positions().count(), 22);
    }

    #[test]
    fn one_thread_always_searches_the_same_nodes() {
        let evaluation = weights::of_program(Variant::International);
        let first = run(Some(6), 1, &evaluation);
        assert!(first.nodes > 20_000, "{first:?}");
        assert_eq!(run(Some(6), 1, &evaluation).nodes, first.nodes);
    }
}
