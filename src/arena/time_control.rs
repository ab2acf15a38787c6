//! Limits on an engine's search (time, depth, nodes), and its clock.

use std::fmt;
use std::str::FromStr;
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

/// The time on the clock for a game. The JSON of one period without a delay is that of the period.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameTimeLimit {
    /// The periods of the game.
    #[serde(flatten)]
    pub periods: Periods,
    /// The part of each move that does not count, in seconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub delay: f64,
}

/// Maximum number of periods.
const MAX_PERIODS: usize = 4;

/// The periods of a game, in order. Time left at the end of a period is kept. The last period lasts for
/// the rest of the game or, if it has a number of moves, is repeated. As text: `40/600:20/300:60+5`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Periods {
    /// The first period.
    #[serde(flatten)]
    pub first: Period,
    /// The periods after it.
    #[serde(default, skip_serializing_if = "has_none")]
    pub later: [Option<Period>; MAX_PERIODS - 1],
}

/// A period of a game. As text: moves, time and increment, such as `40/600+5`.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Period {
    /// Time in seconds.
    pub time: f64,
    /// Time added before each move, in seconds.
    pub increment: f64,
    /// The number of moves; `None` if the period lasts for the rest of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

fn has_none(later: &[Option<Period>; MAX_PERIODS - 1]) -> bool {
    later.iter().all(Option::is_none)
}

impl From<Periods> for GameTimeLimit {
    fn from(periods: Periods) -> GameTimeLimit {
        GameTimeLimit { periods, delay: 0.0 }
    }
}

/// One period, of this number of seconds.
impl From<f64> for Periods {
    fn from(time: f64) -> Periods {
        Period { time, ..Period::default() }.into()
    }
}

impl From<Period> for Periods {
    fn from(first: Period) -> Periods {
        Periods { first, later: [None; MAX_PERIODS - 1] }
    }
}

impl Periods {
    /// All periods.
    fn iter(&self) -> impl Iterator<Item = Period> {
        [Some(self.first)].into_iter().chain(self.later).flatten()
    }

    /// The period with this index; beyond the last one, the last, which is repeated.
    fn period(&self, index: usize) -> Period {
        self.iter().take(index + 1).last().unwrap_or(self.first)
    }

    /// Whether this is nothing but a time for the game.
    fn is_plain(&self) -> bool {
        *self == Periods::from(self.first.time)
    }
}

impl FromStr for Periods {
    type Err = String;

    fn from_str(text: &str) -> Result<Periods, String> {
        let mut periods = text.split(':').map(str::parse::<Period>);
        let first = periods.next().unwrap_or_else(|| Err(PERIODS_EXPECTED.to_owned()))?;
        let mut later = [None; MAX_PERIODS - 1];
        for (index, period) in periods.enumerate() {
            let place = later.get_mut(index);
            *place.ok_or_else(|| format!("at most {MAX_PERIODS} periods are possible"))? =
                Some(period?);
        }
        let periods = Periods { first, later };
        let count = periods.iter().count();
        if periods.iter().take(count - 1).any(|period| period.moves.is_none()) {
            return Err("each period but the last needs a number of moves, as in 40/600".to_owned());
        }
        Ok(periods)
    }
}

/// What a time is parsed from.
const PERIODS_EXPECTED: &str =
    "expected seconds, such as 60, or periods, such as 40/600:20/300:60+5";

impl FromStr for Period {
    type Err = String;

    fn from_str(text: &str) -> Result<Period, String> {
        let parse = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.parse().ok()?), rest),
                None => (None, text),
            };
            let (time, increment) = match rest.split_once('+') {
                Some((time, increment)) => (time, increment.parse().ok()?),
                None => (rest, 0.0),
            };
            Some(Period { time: time.parse().ok()?, increment, moves })
        };
        parse().ok_or_else(|| PERIODS_EXPECTED.to_owned())
    }
}

impl fmt::Display for Periods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<_> = self.iter().map(|period| period.to_string()).collect();
        f.write_str(&texts.join(":"))
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Period { time, increment, moves } = self;
        let moves = moves.map(|moves| format!("{moves}/")).unwrap_or_default();
        let increment = if *increment > 0.0 { format!("+{increment}") } else { String::new() };
        write!(f, "{moves}{time}{increment}")
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
    /// The time for a game, or its periods, which may contain what the next two settings say.
    pub time: Option<Periods>,
    /// Time added before each move, in seconds.
    pub increment: Option<f64>,
    /// The number of moves after which the time is added again.
    pub moves: Option<u32>,
    /// The part of each move that does not count, in seconds.
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
        // Periods have increments and moves of their own.
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
    /// There is no limit; a limit is zero or not a number; an increment, a number of moves or a delay
    /// is set without a time; or an increment or a number of moves besides periods.
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
            return Err("a delay needs a time".to_owned());
        }
        let limits = TimeControl { depth: self.depth, nodes: self.nodes, move_time, game };
        if limits == TimeControl::default() {
            return Err("a limit is missing: move time, nodes, depth or time".to_owned());
        }
        Ok(limits)
    }

    /// The periods with the increment and the number of moves.
    fn periods(&self) -> Result<Option<Periods>, String> {
        let TimeSettings { time, increment, moves, .. } = *self;
        match time {
            None if increment.is_some() || moves.is_some() => {
                Err("an increment or a number of moves needs a time".to_owned())
            }
            Some(periods) if increment.is_none() && moves.is_none() => Ok(Some(periods)),
            Some(periods) if periods.is_plain() => {
                let time = periods.first.time;
                Ok(Some(Period { time, increment: increment.unwrap_or(0.0), moves }.into()))
            }
            Some(periods) => Err(format!(
                "{periods} says its increment and moves itself; write them there, as in 40/600+5"
            )),
            None => Ok(None),
        }
    }
}

/// What is wrong with a limit of 0.
const AT_LEAST_ONE: &str = "depth, nodes and moves must be at least 1";

/// The limits as in the PDN tag `TimeControl` where it can express them: `40/600:20/300:60+5`,
/// `0.1/move`, `1000 nodes`, `depth 9`.
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
    /// The part of each move that does not count.
    pub delay: Duration,
    /// Number of moves left in the period, including this move; `None` if it lasts for the rest of the
    /// game.
    pub moves: Option<u32>,
}

impl ClockTime {
    /// Time that every move gets, including this one: for protocols without a delay, it is part of the
    /// increment. The time of a move is the same, though what is left of a delay is not kept.
    pub fn time_per_move(&self) -> Duration {
        self.increment + self.delay
    }
}

impl MoveLimits {
    /// The time limit of the move; `None` if only depth or nodes limit it.
    pub fn limit(&self) -> Option<Duration> {
        let clock = self.clock.map(|clock| clock.remaining + clock.time_per_move());
        [self.move_time, clock].into_iter().flatten().min()
    }
}

/// An engine's clock in one game, as the arena measures it.
#[derive(Clone, Copy, Debug)]
pub struct EngineClock {
    control: TimeControl,
    /// The index of the period, and its time and number of moves left.
    period: usize,
    remaining: Duration,
    moves: Option<u32>,
}

impl EngineClock {
    /// The clock at the start of a game.
    pub fn new(control: TimeControl) -> EngineClock {
        let first = control.game.map(|game| game.periods.first).unwrap_or_default();
        EngineClock { control, period: 0, remaining: seconds(first.time), moves: first.moves }
    }

    /// The limits of the next move.
    pub fn limits(&self) -> MoveLimits {
        let clock = self.control.game.map(|game| ClockTime {
            remaining: self.remaining,
            increment: seconds(game.periods.period(self.period).increment),
            delay: seconds(game.delay),
            moves: self.moves,
        });
        MoveLimits {
            depth: self.control.depth,
            nodes: self.control.nodes,
            move_time: self.control.move_time.map(seconds),
            clock,
        }
    }

    /// Updates the clock after a move: adds the increment, subtracts the time used beyond the delay
    /// (the clock stops at zero), and adds the time of the next period if it starts.
    pub fn spend(&mut self, time: Duration) {
        let Some(GameTimeLimit { periods, delay }) = self.control.game else { return };
        let counted = time.saturating_sub(seconds(delay));
        let increment = seconds(periods.period(self.period).increment);
        self.remaining = (self.remaining + increment).saturating_sub(counted);
        self.moves = self.moves.map(|moves| moves - 1);
        if self.moves == Some(0) {
            self.period += 1;
            let next = periods.period(self.period);
            self.remaining += seconds(next.time);
            self.moves = next.moves;
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
        let time = time.map(Periods::from);
        TimeSettings { time, increment, moves, ..TimeSettings::default() }
    }

    fn periods(text: &str) -> TimeSettings {
        TimeSettings { time: Some(text.parse().unwrap()), ..TimeSettings::default() }
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
        assert_eq!(left(&clock), (10.0, Some(2)), "a new period");
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
    fn rejects_times_that_are_none() {
        for (text, word) in [
            ("", "expected seconds"),
            ("40/", "expected seconds"),
            ("x/60", "expected seconds"),
            ("40/600:", "expected seconds"),
            ("60:60", "number of moves"),
            ("1/1:1/1:1/1:1/1:1", "at most 4"),
        ] {
            let message = text.parse::<Periods>().unwrap_err();
            assert!(message.contains(word), "{text}: {message}");
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
            (TimeSettings::default(), "missing"),
            (settings(None, Some(1.0), None), "needs a time"),
            (settings(None, None, Some(40)), "needs a time"),
            (settings(Some(0.0), None, None), "more than 0"),
            (settings(Some(f64::NAN), None, None), "more than 0"),
            (settings(Some(1.0), Some(-1.0), None), "increment"),
            (settings(Some(1.0), None, Some(0)), "at least 1"),
            (TimeSettings { nodes: Some(0), ..Default::default() }, "at least 1"),
            (TimeSettings { delay: Some(1.0), ..Default::default() }, "needs a time"),
            (TimeSettings { delay: Some(-1.0), ..periods("60") }, "delay"),
            (TimeSettings { increment: Some(1.0), ..periods("40/600:300") }, "40/600:300 says"),
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
