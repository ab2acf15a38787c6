//! Limits on an engine's search (time, depth, nodes), and its clock.
//!
//! - [`periods`]: the periods of a game's time control.
//! - [`clock`]: an engine's clock in a game, and the limits of each move.

pub mod clock;
pub mod periods;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use clock::{ClockTime, EngineClock, MoveLimits};
pub use periods::{Period, Periods};

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

impl TimeControl {
    /// Whether time limits the searches.
    pub fn has_clock(&self) -> bool {
        self.move_time.is_some() || self.game.is_some()
    }
}

/// The time on the clock for a game. With one period and no delay, its JSON form is that of the
/// period.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameTimeLimit {
    /// The periods of the game.
    #[serde(flatten)]
    pub periods: Periods,
    /// The part of each move's time that is not deducted from the clock, in seconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub delay: f64,
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

impl From<Periods> for GameTimeLimit {
    fn from(periods: Periods) -> GameTimeLimit {
        GameTimeLimit { periods, delay: 0.0 }
    }
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
    /// The time for a game, or its periods, which may include increments and numbers of moves.
    pub time: Option<Periods>,
    /// Time added before each move, in seconds.
    pub increment: Option<f64>,
    /// The number of moves after which the time is added again.
    pub moves: Option<u32>,
    /// The part of each move's time that is not deducted from the clock, in seconds.
    pub delay: Option<f64>,
}

/// Maximum value of any time setting, in seconds: one year.
const MAX_SECONDS: f64 = 366.0 * 24.0 * 3600.0;

impl TimeSettings {
    /// Combines the settings of one engine with those of the match. An engine without settings gets
    /// those of the match. Any other engine gets only the kinds of limits that it sets (depth,
    /// nodes, move time, clock), but missing parts of its clock (time, increment, moves,
    /// delay) come from the match.
    pub fn with_defaults(self, general: TimeSettings) -> TimeSettings {
        if self == TimeSettings::default() {
            return general;
        }
        let TimeSettings { time, increment, moves, delay, .. } = self;
        if time.is_none() && increment.or(delay).is_none() && moves.is_none() {
            return self;
        }
        // Periods specify increments and numbers of moves themselves.
        let is_plain = time.is_none_or(|periods| periods.is_plain());
        TimeSettings {
            time: time.or(general.time),
            increment: increment.or(general.increment.filter(|_| is_plain)),
            moves: moves.or(general.moves.filter(|_| is_plain)),
            delay: delay.or(general.delay),
            ..self
        }
    }

    /// Converts the settings to limits.
    ///
    /// # Errors
    ///
    /// There is no limit; a limit is zero or not a number; an increment, a number of moves or a
    /// delay is set without a time; or an increment or a number of moves is set in addition to
    /// periods.
    pub fn resolve(self) -> Result<TimeControl, String> {
        let positive = |name: &str, seconds: f64| match seconds > 0.0 && seconds <= MAX_SECONDS {
            true => Ok(seconds),
            false => Err(format!("{name} must be more than 0 seconds and at most a year")),
        };
        let limited = |name: &str, seconds: f64| match (0.0..=MAX_SECONDS).contains(&seconds) {
            true => Ok(seconds),
            false => Err(format!("the {name} must be from 0 seconds to a year")),
        };
        let move_time = self.move_time.map(|time| positive("the move time", time)).transpose()?;
        let delay = limited("delay", self.delay.unwrap_or(0.0))?;
        let game = self.periods()?.map(|periods| GameTimeLimit { periods, delay });
        for Period { time, increment, moves } in game.iter().flat_map(|game| game.periods.iter()) {
            positive("the time", time)?;
            limited("increment", increment)?;
            if moves == Some(0) {
                return Err(AT_LEAST_ONE.to_owned());
            }
        }
        if self.depth == Some(0) || self.nodes == Some(0) {
            return Err(AT_LEAST_ONE.to_owned());
        }
        if game.is_none() && self.delay.is_some() {
            return Err("--delay needs --time".to_owned());
        }
        let limits = TimeControl { depth: self.depth, nodes: self.nodes, move_time, game };
        if limits == TimeControl::default() {
            let what = "no limit; use --move-time, --nodes, --depth or --time, or tc.NAME in its";
            return Err(format!("{what} description"));
        }
        Ok(limits)
    }

    /// The periods with the increment and the number of moves.
    fn periods(&self) -> Result<Option<Periods>, String> {
        let TimeSettings { time, increment, moves, .. } = *self;
        match time {
            None if increment.is_some() || moves.is_some() => {
                Err("--inc and --moves need --time".to_owned())
            }
            Some(periods) if increment.is_none() && moves.is_none() => Ok(Some(periods)),
            Some(periods) if periods.is_plain() => {
                let time = periods.first.time;
                Ok(Some(Period { time, increment: increment.unwrap_or(0.0), moves }.into()))
            }
            Some(periods) => Err(format!(
                "{periods} already sets moves or an increment; write both there, as in 40/600+5"
            )),
            None => Ok(None),
        }
    }
}

/// The error message for a limit of 0.
const AT_LEAST_ONE: &str = "depth, nodes and moves must be at least 1";

/// Formats the limits as in the PDN tag `TimeControl`, where that tag can express them:
/// `40/600:20/300:60+5`, `0.1/move`, `1000 nodes`, `depth 9`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(GameTimeLimit { periods, delay }) = self.game {
            parts.push(periods.to_string());
            parts.extend((delay > 0.0).then(|| format!("delay {delay}")));
        }
        parts.extend(self.move_time.map(|seconds| format!("{seconds}/move")));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(time: Option<f64>, increment: Option<f64>, moves: Option<u32>) -> TimeSettings {
        let time = time.map(Periods::from);
        TimeSettings { time, increment, moves, ..TimeSettings::default() }
    }

    fn periods(text: &str) -> TimeSettings {
        TimeSettings { time: Some(text.parse().unwrap()), ..TimeSettings::default() }
    }

    #[test]
    fn limits_of_a_log_are_those_of_before() {
        let control = settings(Some(60.0), Some(0.5), Some(40)).resolve().unwrap();
        let json = serde_json::to_value(control).unwrap();
        let before = serde_json::json!({"game": {"time": 60.0, "increment": 0.5, "moves": 40}});
        assert_eq!(json, before);
        let delayed = TimeSettings { delay: Some(2.0), ..periods("40/600:60+5") };
        for control in [control, delayed.resolve().unwrap()] {
            let json = serde_json::to_value(control).unwrap();
            assert_eq!(serde_json::from_value::<TimeControl>(json).unwrap(), control);
        }
    }

    #[test]
    fn limits_of_an_engine_override_those_of_the_match() {
        let general = settings(Some(60.0), Some(1.0), None);
        let nodes = TimeSettings { nodes: Some(1000), ..Default::default() };
        assert_eq!(TimeSettings::default().with_defaults(general), general);
        assert_eq!(nodes.with_defaults(general), nodes);
        let half = settings(Some(30.0), None, None).with_defaults(general);
        assert_eq!(half, settings(Some(30.0), Some(1.0), None));
        let own = periods("40/600:300");
        assert_eq!(own.with_defaults(general), own);
        let delayed = TimeSettings { delay: Some(2.0), ..TimeSettings::default() };
        let both = TimeSettings { delay: Some(2.0), ..general };
        assert_eq!(delayed.with_defaults(general), both);
    }

    #[test]
    fn rejects_invalid_limits() {
        for (bad, word) in [
            (TimeSettings::default(), "no limit; use"),
            (settings(None, Some(1.0), None), "need --time"),
            (settings(None, None, Some(40)), "need --time"),
            (settings(Some(0.0), None, None), "more than 0"),
            (settings(Some(f64::NAN), None, None), "more than 0"),
            (settings(Some(1.0), Some(-1.0), None), "increment"),
            (settings(Some(1.0), None, Some(0)), "at least 1"),
            (TimeSettings { nodes: Some(0), ..Default::default() }, "at least 1"),
            (TimeSettings { delay: Some(1.0), ..Default::default() }, "needs --time"),
            (TimeSettings { delay: Some(-1.0), ..periods("60") }, "delay"),
            (
                TimeSettings { increment: Some(1.0), ..periods("40/600:300") },
                "40/600:300 already sets",
            ),
            (periods("0/60:60"), "at least 1"),
            (periods("40/600:0"), "more than 0"),
            (periods("40/600:60+-1"), "increment"),
        ] {
            let message = bad.resolve().unwrap_err();
            assert!(message.contains(word), "{message}");
        }
    }

    #[test]
    fn formats_limits_as_in_pdn() {
        let control = settings(Some(60.0), Some(0.5), Some(40)).resolve().unwrap();
        assert_eq!(control.to_string(), "40/60+0.5");
        let several = TimeSettings { delay: Some(2.5), ..periods("40/600:20/300:60+5") };
        assert_eq!(several.resolve().unwrap().to_string(), "40/600:20/300:60+5, delay 2.5");
        let nodes = TimeSettings { nodes: Some(1000), move_time: Some(0.1), ..Default::default() };
        assert_eq!(nodes.resolve().unwrap().to_string(), "0.1/move, 1000 nodes");
    }
}
