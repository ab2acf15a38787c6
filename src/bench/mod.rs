//! A fixed amount of searching: its nodes are the signature of the search, its time the measure of
//! its speed.

use std::time::{Duration, Instant};

use crate::board::{Geometry, Kind, Side};
use crate::engine::{Engine, Options};
use crate::position::{Game, Position, Setup};
use crate::rules::{International, Rules};
use crate::search::{Control, Limits};

/// The depth unless another is asked for, in plies.
const DEPTH: u32 = 11;
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

/// Searches twenty positions, each with a new engine, to a depth in plies, 11 if it is `None`.
pub fn run(depth: Option<u32>, threads: usize) -> BenchResult {
    let limits = Limits { depth: Some(depth.unwrap_or(DEPTH)), ..Limits::default() };
    let began = Instant::now();
    let nodes = positions()
        .map(|position| {
            let mut engine = Engine::new(Options { threads, tt_size: TT_SIZE });
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
    lines.filter_map(parse)
}

/// Reads a position in the plain form of the list: `W:W31,K32:B1`.
fn parse(line: &str) -> Option<Position<International>> {
    let mut parts = line.split(':');
    let mut setup = Setup::empty(side(parts.next()?)?);
    for part in parts {
        for piece in part.get(1..)?.split(',') {
            let (kind, number) = match piece.strip_prefix('K') {
                Some(number) => (Kind::King, number),
                None => (Kind::Man, piece),
            };
            let square = <International as Rules>::Geometry::square(number.parse().ok()?)?;
            setup.put(side(part)?, kind, square);
        }
    }
    setup.position().ok()
}

fn side(part: &str) -> Option<Side> {
    match part.chars().next()? {
        'W' => Some(Side::White),
        'B' => Some(Side::Black),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_searched() {
        assert_eq!(positions().count(), 20);
    }

    #[test]
    fn one_thread_always_searches_the_same_nodes() {
        let first = run(Some(6), 1);
        assert!(first.nodes > 20_000, "{first:?}");
        assert_eq!(run(Some(6), 1).nodes, first.nodes);
    }
}
