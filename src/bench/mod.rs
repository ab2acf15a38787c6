//! A fixed amount of searching: its nodes are the signature of the search, its time the measure of
//! its speed.

use std::time::{Duration, Instant};

use crate::engine::{Engine, Knowledge, Options};
use crate::eval::Evaluation;
use crate::game::Game;
use crate::notation::fen;
use crate::position::Position;
use crate::rules::International;
use crate::search::{Control, Limits};

/// The depth unless another is asked for, in plies.
const DEPTH: u32 = 14;
/// The transposition table: 16 MiB.
const TT_SIZE: u32 = 20;
/// The positions, one a line; a line that starts with `#` is a remark.
const POSITIONS: &str = include_str!("positions.txt");

/// What a bench has taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Nodes of all searches. With one thread the same on every machine.
    pub nodes: u64,
    /// The time of all searches.
    pub time: Duration,
}

/// Searches 22 positions, each with a new engine, to a depth in plies, 14 if it is `None`. It knows the
/// bitbases that every program has.
pub fn run(
    depth: Option<u32>,
    threads: usize,
    evaluation: &Evaluation<International>,
) -> BenchResult {
    let limits = Limits { depth: Some(depth.unwrap_or(DEPTH)), ..Limits::default() };
    let began = Instant::now();
    let nodes = positions()
        .map(|position| {
            let knowledge = Knowledge::of_program(evaluation.clone());
            let options = Options { threads, tt_size: TT_SIZE, ..Options::default() };
            let mut engine = Engine::with(knowledge, options);
            engine.set_game(Game::new(position));
            let best = engine.go(limits, &Control::new(), &mut |_| {});
            best.info.nodes
        })
        .sum();
    BenchResult { nodes, time: began.elapsed() }
}

/// The positions of the bench.
fn positions() -> impl Iterator<Item = Position<International>> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| fen::parse(line).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_searched() {
        assert_eq!(positions().count(), 22);
    }

    #[test]
    fn one_thread_always_searches_the_same_nodes() {
        let first = run(Some(6), 1, &Evaluation::of_program());
        assert!(first.nodes > 20_000, "{first:?}");
        assert_eq!(run(Some(6), 1, &Evaluation::of_program()).nodes, first.nodes);
    }
}
