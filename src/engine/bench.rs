//! A benchmark that searches a fixed set of positions. The node count identifies the behaviour of
//! the search, and the time measures its speed.

use std::time::Duration;

use crate::erased::Position;
use crate::eval::Evaluation;
use crate::instant::Instant;
use crate::notation::fen;
use crate::rules::Variant;
use crate::search::{Control, Limits};

use super::{Engine, EngineOptions, Resources};

/// The default depth in plies.
const DEPTH: u32 = 14;
/// The default size of the transposition table, as a base-2 logarithm: 16 MiB.
pub const TT_SIZE: u32 = 20;
/// The positions: each line holds the name of a variant and a FEN; lines that start with `#` are
/// comments.
const POSITIONS: &str = include_str!("bench_positions.txt");

/// The settings of the engine in a benchmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchSettings {
    /// The number of search threads.
    pub threads: usize,
    /// The base-2 logarithm of the number of entries of the transposition table.
    pub tt_size: u32,
}

/// The settings whose node count is the signature of the search.
impl Default for BenchSettings {
    fn default() -> BenchSettings {
        BenchSettings { threads: 1, tt_size: TT_SIZE }
    }
}

/// The result of a benchmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// The total number of nodes of all searches. With one thread, it is the same on every machine.
    pub nodes: u64,
    /// The total time of all searches.
    pub time: Duration,
}

/// Searches the benchmark positions of a variant to `depth` plies, by default 14, clearing the
/// transposition table and histories before each position. There are 22 positions for international
/// draughts and at least four for every other variant. The engine uses only the embedded bitbases.
/// The evaluation must be for this variant.
pub fn run(
    variant: Variant,
    depth: Option<u32>,
    settings: BenchSettings,
    evaluation: &Evaluation,
) -> BenchResult {
    let limits = Limits { depth: Some(depth.unwrap_or(DEPTH)), ..Limits::default() };
    let resources = Resources::embedded(variant, evaluation.clone());
    let BenchSettings { threads, tt_size } = settings;
    let options = EngineOptions { threads, tt_size, ..EngineOptions::default() };
    let mut engine = Engine::with_resources(variant, resources, options);
    let began = Instant::now();
    let nodes = positions(variant)
        .map(|position| {
            engine.new_game();
            engine.set_position(position);
            engine.go(limits, &Control::new(), &mut |_| {}).info.nodes
        })
        .sum();
    BenchResult { nodes, time: began.elapsed() }
}

/// The benchmark positions of a variant.
pub fn positions(variant: Variant) -> impl Iterator<Item = Position> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    let fens = lines.filter_map(move |line| line.strip_prefix(variant.name())?.strip_prefix(' '));
    fens.filter_map(move |text| fen::parse(variant, text).ok())
}

#[cfg(test)]
mod tests {
    use crate::weights;

    use super::*;

    #[test]
    fn every_line_is_a_position() {
        let counts = Variant::ALL.iter().map(|&variant| positions(variant).count());
        let counts: Vec<_> = counts.collect();
        assert_eq!(counts[0], 22);
        assert!(counts.iter().all(|&count| count >= 4), "{counts:?}");
        let lines = POSITIONS.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(counts.iter().sum::<usize>(), lines, "each line is a position");
    }

    #[test]
    fn node_counts_are_deterministic() {
        let evaluation = weights::embedded(Variant::International);
        let run = |depth| {
            super::run(Variant::International, Some(depth), BenchSettings::default(), &evaluation)
        };
        let first = run(6);
        assert!(first.nodes > 20_000, "{first:?}");
        assert_eq!(run(6).nodes, first.nodes);
    }
}
