//! Limits on an engine's search (time, depth, nodes), and its clock.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The search limits of an engine. All limits that are set apply at once.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TimeControl {
    /// Maximum depth of each search, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Maximum number of nodes per search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time per move, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_time: Option<f64>,
    /// Time on the clock for the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameTimeLimit>,
}

/// The time on the clock for a game, or for each session of a game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameTimeLimit {
    /// Time in seconds.
    pub time: f64,
    /// Time added before each move, in seconds.
    pub increment: f64,
    /// The number of moves per session, after which `time` is added again; `None` if the whole game
    /// is one session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

/// Limits as set by the user; `None` if not set.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TimeSettings {
    /// Maximum depth of each search, in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes per search.
    pub nodes: Option<u64>,
    /// Time per move, in seconds.
    pub move_time: Option<f64>,
    /// Time for a game, or for each session of `moves` moves, in seconds.
    pub time: Option<f64>,
    /// Time added before each move, in seconds.
    pub increment: Option<f64>,
    /// The number of moves after which the time is added again.
    pub moves: Option<u32>,
}

/// Maximum value of any time setting, in seconds: one year.
const MAX_SECONDS: f64 = 366.0 * 24.0 * 3600.0;

impl TimeSettings {
    /// Combines the settings of one engine with those of the match. An engine without settings gets
    /// those of the match. Any other engine gets only the kinds of limits that it sets (depth,
    /// nodes, move time, clock), but missing parts of its clock (time, increment, moves) come from
    /// the match.
    pub fn with_defaults(self, general: TimeSettings) -> TimeSettings {
        if self == TimeSettings::default() {
            return general;
        }
        if self.time.or(self.increment).is_none() && self.moves.is_none() {
            return self;
        }
        TimeSettings {
            time: self.time.or(general.time),
            increment: self.increment.or(general.increment),
            moves: self.moves.or(general.moves),
            ..self
        }
    }

    /// Converts the settings to limits.
    ///
    /// # Errors
    ///
    /// There is no limit; a limit is zero or not a number; or an increment or a number of moves is
    /// set without a time.
    pub fn resolve(self) -> Result<TimeControl, String> {
        let positive = |name: &str, seconds: Option<f64>| match seconds {
            Some(seconds) if !(seconds > 0.0 && seconds <= MAX_SECONDS) => {
                Err(format!("{name} must be more than 0 seconds and at most a year"))
            }
            seconds => Ok(seconds),
        };
        let move_time = positive("the move time", self.move_time)?;
        let time = positive("the time", self.time)?;
        let increment = self.increment.unwrap_or(0.0);
        if !(0.0..=MAX_SECONDS).contains(&increment) {
            return Err("the increment must be from 0 seconds to a year".to_owned());
        }
        if self.depth == Some(0) || self.nodes == Some(0) || self.moves == Some(0) {
            return Err("depth, nodes and moves must be at least 1".to_owned());
        }
        if time.is_none() && (self.increment.is_some() || self.moves.is_some()) {
            return Err("an increment or a number of moves needs a time".to_owned());
        }
        let game = time.map(|time| GameTimeLimit { time, increment, moves: self.moves });
        let limits = TimeControl { depth: self.depth, nodes: self.nodes, move_time, game };
        if limits == TimeControl::default() {
            return Err("a limit is missing: move time, nodes, depth or time".to_owned());
        }
        Ok(limits)
    }
}

/// Formats the limits as in PDN files: `60+0.5`, `40/300`, `0.1/move`, `1000 nodes`, `depth 9`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(GameTimeLimit { time, increment, moves }) = self.game {
            let moves = moves.map(|moves| format!("{moves}/")).unwrap_or_default();
            let increment = if increment > 0.0 { format!("+{increment}") } else { String::new() };
            parts.push(format!("{moves}{time}{increment}"));
        }
        parts.extend(self.move_time.map(|seconds| format!("{seconds}/move")));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

/// The limits for one move, as sent to the engine.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MoveLimits {
    /// Maximum depth, in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The state of the clock.
    pub clock: Option<ClockTime>,
}

/// The state of an engine's clock before its move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClockTime {
    /// Time left, excluding the increment for this move.
    pub remaining: Duration,
    /// Time added before every move, including this one.
    pub increment: Duration,
    /// Number of moves left in the session, including this move; `None` if the whole game is one
    /// session.
    pub moves: Option<u32>,
}

impl MoveLimits {
    /// The time limit of the move; `None` if only depth or nodes limit it.
    pub fn limit(&self) -> Option<Duration> {
        let clock = self.clock.map(|clock| clock.remaining + clock.increment);
        [self.move_time, clock].into_iter().flatten().min()
    }
}

/// An engine's clock in one game, as the arena measures it.
#[derive(Clone, Copy, Debug)]
pub struct EngineClock {
    control: TimeControl,
    /// Time and number of moves left in the session.
    remaining: Duration,
    moves: Option<u32>,
}

impl EngineClock {
    /// The clock at the start of a game.
    pub fn new(control: TimeControl) -> EngineClock {
        let remaining = control.game.map_or(Duration::ZERO, |game| seconds(game.time));
        EngineClock { control, remaining, moves: control.game.and_then(|game| game.moves) }
    }

    /// The limits of the next move.
    pub fn limits(&self) -> MoveLimits {
        let clock = self.control.game.map(|game| ClockTime {
            remaining: self.remaining,
            increment: seconds(game.increment),
            moves: self.moves,
        });
        MoveLimits {
            depth: self.control.depth,
            nodes: self.control.nodes,
            move_time: self.control.move_time.map(seconds),
            clock,
        }
    }

    /// Updates the clock after a move: adds the increment, subtracts the time used (the clock stops
    /// at zero), and adds the time of a new session if one starts.
    pub fn spend(&mut self, time: Duration) {
        let Some(game) = self.control.game else { return };
        self.remaining = (self.remaining + seconds(game.increment)).saturating_sub(time);
        self.moves = self.moves.map(|moves| moves - 1);
        if self.moves == Some(0) {
            self.remaining += seconds(game.time);
            self.moves = game.moves;
        }
    }
}

/// Converts a number of seconds that [`TimeSettings::resolve`] has accepted.
fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(time: Option<f64>, increment: Option<f64>, moves: Option<u32>) -> TimeSettings {
        TimeSettings { time, increment, moves, ..TimeSettings::default() }
    }

    #[test]
    fn the_clock_counts_time_and_moves() {
        let control = settings(Some(10.0), Some(1.0), Some(2)).resolve().unwrap();
        let mut clock = EngineClock::new(control);
        let left = |clock: &EngineClock| {
            let shown = clock.limits().clock.unwrap();
            (shown.remaining.as_secs_f64(), shown.moves)
        };
        assert_eq!(left(&clock), (10.0, Some(2)));
        assert_eq!(clock.limits().limit(), Some(Duration::from_secs(11)));
        clock.spend(Duration::from_secs(4));
        assert_eq!(left(&clock), (7.0, Some(1)));
        clock.spend(Duration::from_secs(20));
        assert_eq!(left(&clock), (10.0, Some(2)), "a new session");
    }

    #[test]
    fn limits_of_an_engine_override_those_of_the_match() {
        let general = TimeSettings { time: Some(60.0), increment: Some(1.0), ..Default::default() };
        let nodes = TimeSettings { nodes: Some(1000), ..Default::default() };
        assert_eq!(TimeSettings::default().with_defaults(general), general);
        assert_eq!(nodes.with_defaults(general), nodes);
        let half = settings(Some(30.0), None, None).with_defaults(general);
        assert_eq!(half, settings(Some(30.0), Some(1.0), None));
    }

    #[test]
    fn rejects_invalid_limits() {
        for (bad, word) in [
            (TimeSettings::default(), "missing"),
            (settings(None, Some(1.0), None), "needs a time"),
            (settings(None, None, Some(40)), "needs a time"),
            (settings(Some(0.0), None, None), "more than 0"),
            (settings(Some(f64::NAN), None, None), "more than 0"),
            (settings(Some(1.0), Some(-1.0), None), "increment"),
            (settings(Some(1.0), None, Some(0)), "at least 1"),
            (TimeSettings { nodes: Some(0), ..Default::default() }, "at least 1"),
        ] {
            let message = bad.resolve().unwrap_err();
            assert!(message.contains(word), "{message}");
        }
    }

    #[test]
    fn formats_limits_as_in_pdn() {
        let control = settings(Some(60.0), Some(0.5), Some(40)).resolve().unwrap();
        assert_eq!(control.to_string(), "40/60+0.5");
        let nodes = TimeSettings { nodes: Some(1000), move_time: Some(0.1), ..Default::default() };
        assert_eq!(nodes.resolve().unwrap().to_string(), "0.1/move, 1000 nodes");
    }
}
