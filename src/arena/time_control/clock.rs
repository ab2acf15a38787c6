//! An engine's clock in a game, and the limits of each move.

use std::time::Duration;

use super::{GameTimeLimit, MAX_SECONDS, TimeControl};

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
    /// The part of each move's time that is not deducted from the clock.
    pub delay: Duration,
    /// Number of moves left in the period, including this move; `None` if the period lasts for the
    /// rest of the game.
    pub moves: Option<u32>,
}

impl ClockTime {
    /// The increment plus the delay, sent as the increment over protocols that have no delay. The
    /// time limit of the move is correct, although the engine cannot know that unused delay is not
    /// added to the clock.
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
    /// The index of the current period, followed by its remaining time and number of moves.
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
    use super::super::Periods;
    use super::*;

    #[test]
    fn the_clock_counts_time_and_moves() {
        let periods: Periods = "2/10+1".parse().unwrap();
        let game = Some(GameTimeLimit::from(periods));
        let control = TimeControl { game, ..TimeControl::default() };
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
}
