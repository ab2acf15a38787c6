//! `level` commands: the limits of the next search.
//!
//! `handicap` and `ply` are extensions of lidraughts' move server for its weaker levels, as its own
//! Scan has them.

use std::time::Duration;

use crate::search::{Clock, Limits, Mode, Quiescence};

use super::numbers;
use super::parse::HubLine;

/// A `level` command, or all of them since the last search: a later one overrides only the limits
/// that it names.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LevelCommand {
    depth: Option<u32>,
    nodes: Option<u64>,
    move_time: Option<Duration>,
    time: Option<f64>,
    increment: Option<f64>,
    moves: Option<u32>,
    plies: Option<u32>,
    quiescence: Option<Quiescence>,
}

/// The maximum time of a limit in seconds: three years.
const LONGEST: f64 = 1e8;

impl LevelCommand {
    /// The limits of one line. Unknown arguments and invalid numbers are ignored.
    pub fn parse(line: &HubLine) -> LevelCommand {
        let number = |name| line.value(name).and_then(numbers::parse);
        // Casts from `f64` saturate: absurdly large numbers become the maximum.
        LevelCommand {
            depth: number("depth").map(|depth| (depth as u32).max(1)),
            nodes: number("nodes").map(|nodes| (nodes as u64).max(1)),
            move_time: number("move-time").map(duration),
            time: number("time"),
            increment: number("inc"),
            moves: number("moves").map(|moves| moves as u32),
            plies: number("ply").map(|plies| (plies as u32).max(1)),
            quiescence: number("handicap").map(quiescence),
        }
    }

    /// Both combined; `later` takes precedence.
    pub fn and(self, later: LevelCommand) -> LevelCommand {
        LevelCommand {
            depth: later.depth.or(self.depth),
            nodes: later.nodes.or(self.nodes),
            move_time: later.move_time.or(self.move_time),
            time: later.time.or(self.time),
            increment: later.increment.or(self.increment),
            moves: later.moves.or(self.moves),
            plies: later.plies.or(self.plies),
            quiescence: later.quiescence.or(self.quiescence),
        }
    }

    /// The limits of a search in a mode. Without limits, which is also what `level infinite` means,
    /// the search runs until it is stopped.
    pub fn limits(self, mode: Mode) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time,
            clock: self.clock(),
            plies: self.plies,
            quiescence: self.quiescence.unwrap_or_default(),
            mode,
            ..Limits::default()
        }
    }

    /// The game clock. The increment is added before every move and so available for this one; a
    /// client that adds it afterwards sends a time that may be negative.
    fn clock(self) -> Option<Clock> {
        if self.time.is_none() && self.increment.is_none() {
            return None;
        }
        let increment = self.increment.unwrap_or(0.0).max(0.0);
        Some(Clock {
            remaining: duration(self.time.unwrap_or(0.0) + increment),
            increment: duration(increment),
            moves: self.moves.filter(|&moves| moves > 0),
        })
    }
}

/// What a handicap stands for: 1 takes threats and sacrifices out of the quiescence search, which has
/// none here.
fn quiescence(handicap: f64) -> Quiescence {
    match handicap as u32 {
        0 | 1 => Quiescence::Full,
        2 => Quiescence::StandPat,
        _ => Quiescence::Off,
    }
}

fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(lines: &[&str]) -> Limits {
        lines
            .iter()
            .map(|line| LevelCommand::parse(&HubLine::parse(line)))
            .fold(LevelCommand::default(), LevelCommand::and)
            .limits(Mode::Think)
    }

    #[test]
    fn lines_add_up() {
        let limits = limits(&["level depth=9", "level nodes=1000", "level move-time=0.5"]);
        assert_eq!(limits.depth, Some(9));
        assert_eq!(limits.nodes, Some(1000));
        assert_eq!(limits.move_time, Some(Duration::from_millis(500)));
        assert_eq!(limits.clock, None);
    }

    #[test]
    fn handicaps_shorten_the_sight() {
        let weak = limits(&["level handicap=3", "level nodes=50 ply=4"]);
        assert_eq!((weak.quiescence, weak.plies, weak.nodes), (Quiescence::Off, Some(4), Some(50)));
        assert_eq!(limits(&["level handicap=2"]).quiescence, Quiescence::StandPat);
        for none in ["0", "1", "-1", "x"] {
            let line = format!("level handicap={none} ply=0");
            assert_eq!(limits(&[&line]).quiescence, Quiescence::Full);
            assert_eq!(limits(&[&line]).plies, Some(1));
        }
    }

    #[test]
    fn the_increment_comes_before_the_move() {
        let clock = limits(&["level moves=9 time=12,000 inc=0.5"]).clock;
        let expected = Clock {
            remaining: Duration::from_millis(12_500),
            increment: Duration::from_millis(500),
            moves: Some(9),
        };
        assert_eq!(clock, Some(expected));
    }

    #[test]
    fn odd_numbers_are_clamped_or_ignored() {
        let odd = limits(&["level depth=99999999999 nodes=-3 move-time=1e300 time=-1.5 moves=0"]);
        assert_eq!(odd.depth, Some(u32::MAX));
        assert_eq!(odd.nodes, Some(1));
        assert_eq!(odd.move_time, Some(Duration::from_secs_f64(LONGEST)));
        assert_eq!(odd.clock, Some(Clock::default()));
        assert_eq!(limits(&["level depth=x nodes=nan move-time=inf time="]), Limits::default());
        assert_eq!(limits(&["level infinite"]), Limits::default());
    }
}
