//! How long a search may take.

use std::time::{Duration, Instant};

use super::limits::{Clock, Control, Limits, Mode};
use super::params::{
    HARD_FACTOR, HARD_SHARE, INSTANT, MOVES_TO_GO, OVERHEAD, OVERHEAD_SHARE, SOFT_PERCENT,
};

/// The time of one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Budget {
    /// No iteration begins after it.
    soft: Duration,
    /// The search ends at it.
    hard: Duration,
}

impl Budget {
    const UNLIMITED: Budget = Budget { soft: Duration::MAX, hard: Duration::MAX };

    /// For an only move: the first iteration, which tells a score.
    const ONLY_MOVE: Budget = Budget { soft: Duration::ZERO, hard: INSTANT };

    fn new(limits: &Limits, is_only_move: bool) -> Self {
        if is_only_move && limits.mode != Mode::Analyze && !limits.is_infinite() {
            return Self::ONLY_MOVE;
        }
        let move_time = limits.move_time.map_or(Self::UNLIMITED, Self::for_move);
        let clock = limits.clock.map_or(Self::UNLIMITED, Self::from_clock);
        Budget { soft: move_time.soft.min(clock.soft), hard: move_time.hard.min(clock.hard) }
    }

    /// All of the time but the overhead.
    fn for_move(time: Duration) -> Self {
        let time = time - OVERHEAD.min(time / OVERHEAD_SHARE);
        Budget { soft: time, hard: time }
    }

    /// An even share of what remains after the overhead of all moves to come. So the time left
    /// shrinks, but there is enough for an instant answer to the end.
    fn from_clock(clock: Clock) -> Self {
        let moves = clock.moves.map_or(MOVES_TO_GO, |moves| moves.clamp(1, MOVES_TO_GO));
        let share = clock
            .remaining
            .saturating_add(clock.increment.saturating_mul(moves - 1))
            .saturating_sub(OVERHEAD * moves)
            / moves;
        let most = (clock.remaining.saturating_sub(OVERHEAD) / HARD_SHARE).max(INSTANT);
        let hard = share.saturating_mul(HARD_FACTOR).clamp(INSTANT, most);
        Budget { soft: (share / 100 * SOFT_PERCENT).min(hard), hard }
    }
}

/// The clock of one search. While pondering it stands still.
#[derive(Clone, Debug)]
pub(super) struct Stopwatch {
    /// When the search began.
    began: Instant,
    budget: Budget,
    mode: Mode,
}

impl Stopwatch {
    /// The clock of a search that began at an instant.
    pub(super) fn new(began: Instant, limits: &Limits, is_only_move: bool) -> Self {
        Stopwatch { began, budget: Budget::new(limits, is_only_move), mode: limits.mode }
    }

    /// The time since the search began, pondering included.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether the search must end now.
    pub(super) fn is_over(&self, control: &Control) -> bool {
        self.has_reached(self.budget.hard, control)
    }

    /// Whether it is too late for one more iteration.
    pub(super) fn is_late(&self, control: &Control) -> bool {
        self.has_reached(self.budget.soft, control)
    }

    fn has_reached(&self, time: Duration, control: &Control) -> bool {
        let started = match self.mode {
            Mode::Ponder => control.ponder_hit_at(),
            Mode::Think | Mode::Analyze => Some(self.began),
        };
        time < Duration::MAX && started.is_some_and(|started| started.elapsed() >= time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn budget(remaining: u64, increment: u64, moves: Option<u32>) -> Budget {
        Budget::from_clock(Clock { remaining: ms(remaining), increment: ms(increment), moves })
    }

    #[test]
    fn a_whole_game_in_a_second_never_runs_out() {
        // Every move takes all it may, and the way to the clock takes some milliseconds more.
        let mut remaining = 1_000_u64;
        for mv in 1..=80 {
            let hard = budget(remaining, 0, None).hard.as_millis() as u64;
            remaining = remaining.checked_sub(hard + 5).unwrap_or_else(|| {
                panic!("out of time at move {mv}");
            });
        }
    }

    #[test]
    fn time_controls_are_met() {
        for (moves, time) in [(1, 100), (5, 200), (40, 60_000), (100, 60_000)] {
            let mut remaining = time;
            for left in (1..=moves).rev() {
                let hard = budget(remaining, 0, Some(left)).hard.as_millis() as u64;
                remaining = remaining.checked_sub(hard + 5).unwrap();
            }
        }
    }

    #[test]
    fn no_clock_is_too_short() {
        for remaining in 0..50 {
            for moves in [None, Some(1), Some(0), Some(200)] {
                let budget = budget(remaining, 0, moves);
                assert!(budget.soft <= budget.hard);
                assert!(budget.hard <= ms(remaining / 2).max(INSTANT), "{budget:?}");
            }
        }
    }

    #[test]
    fn huge_clocks_do_not_overflow() {
        let clock = Clock { remaining: Duration::MAX, increment: Duration::MAX, moves: None };
        assert!(Budget::from_clock(clock).hard > ms(1_000_000));
        assert_eq!(Budget::for_move(Duration::MAX).hard, Duration::MAX - OVERHEAD);
    }

    #[test]
    fn the_increment_is_used() {
        let without = budget(1_000, 0, None);
        let with = budget(1_000, 500, None);
        assert!(with.hard > without.hard && with.hard < ms(500));
    }

    #[test]
    fn a_move_time_is_nearly_used_up() {
        assert_eq!(Budget::for_move(ms(1_000)).hard, ms(990));
        assert_eq!(Budget::for_move(ms(10)).hard, Duration::from_micros(7_500));
        assert_eq!(Budget::for_move(Duration::ZERO).hard, Duration::ZERO);
    }

    #[test]
    fn the_first_limit_counts_and_pondering_stops_the_clock() {
        let limits = Limits {
            move_time: Some(Duration::ZERO),
            clock: Some(Clock { remaining: ms(60_000), ..Clock::default() }),
            mode: Mode::Ponder,
            ..Limits::default()
        };
        let control = Control::new();
        let watch = Stopwatch::new(Instant::now(), &limits, false);
        assert!(!watch.is_over(&control) && !watch.is_late(&control));
        control.ponder_hit();
        assert!(watch.is_over(&control) && watch.is_late(&control));
    }
}
