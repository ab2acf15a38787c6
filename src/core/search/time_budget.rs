//! The time budget of a search, from its limits and the game clock.

use std::time::Duration;

use crate::board::Geometry;
use crate::game::BitGame;
use crate::rules::Rules;

use super::limits::{Clock, Limits, Mode};
use super::params::{
    GAME_OVERHEAD, GAME_RESERVE, HARD_FACTOR, HARD_SHARE, MAX_MOVES, MIN_MOVES, MIN_TIME,
    MOVE_OVERHEAD, MOVE_OVERHEAD_SHARE, RESERVE_MOVES, RESERVE_OVERHEADS, RESERVE_SHARE,
    SOFT_FACTOR,
};

/// The cap on all times, in seconds (about thirty years), so that sums do not overflow.
const MAX_SECONDS: f64 = 1e9;

/// The time limits of one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeBudget {
    /// The soft limit, after which no new iteration starts. It is adjusted after each iteration,
    /// depending on the stability of the best move and the score.
    pub soft: Duration,
    /// The hard limit, at which the search is stopped.
    pub hard: Duration,
}

impl TimeBudget {
    const UNLIMITED: TimeBudget = TimeBudget { soft: Duration::MAX, hard: Duration::MAX };

    /// The budget for an only move: just the first iteration, to get a score.
    const ONLY_MOVE: TimeBudget = TimeBudget { soft: Duration::ZERO, hard: MIN_TIME };

    /// The budget for a search with the given limits, in a [`game_phase`]. If there are both a
    /// clock and a move time, the lower limits apply.
    pub fn new(limits: &Limits, phase: f64, is_only_move: bool) -> Self {
        if is_only_move && limits.mode != Mode::Analyze && !limits.is_infinite() {
            return Self::ONLY_MOVE;
        }
        let move_time = limits.move_time.map_or(Self::UNLIMITED, Self::for_move);
        let clock = limits.clock;
        let clock = clock.map_or(Self::UNLIMITED, |clock| Self::from_clock(clock, phase));
        TimeBudget { soft: move_time.soft.min(clock.soft), hard: move_time.hard.min(clock.hard) }
    }

    /// The budget for a move time: all of it less the overhead, regardless of what the search
    /// finds.
    fn for_move(time: Duration) -> Self {
        let hard = time - MOVE_OVERHEAD.min(time / MOVE_OVERHEAD_SHARE);
        TimeBudget { soft: Duration::MAX, hard }
    }

    /// The budget for a move on a game clock, in a [`game_phase`]: an even share of the spendable
    /// time. The spendable time excludes a reserve for a busy machine, and the overhead of future
    /// moves, as measured in earlier ones, except for the part that increments cover. If no time is
    /// spendable, moves are instant.
    fn from_clock(clock: Clock, phase: f64) -> Self {
        let seconds = |time: Duration| time.as_secs_f64().min(MAX_SECONDS);
        let moves = moves_to_go(clock.moves, phase);
        let increment = seconds(clock.increment) - seconds(GAME_OVERHEAD.max(clock.overhead));
        // The last move before the time control needs no reserve for later moves.
        let reserved =
            f64::from(clock.moves.map_or(RESERVE_MOVES, |n| n.clamp(1, RESERVE_MOVES) - 1));
        let min = clock.remaining / RESERVE_SHARE;
        let reserve = GAME_RESERVE.max(clock.overhead.saturating_mul(RESERVE_OVERHEADS));
        let remaining = clock.remaining.saturating_sub(reserve).max(min);
        let spendable = (seconds(remaining) + increment.min(0.0) * reserved).max(0.0);
        let share = (spendable + increment.max(0.0) * (moves - 1.0)) / moves;

        let max = spendable / moves.min(HARD_SHARE);
        let hard = Duration::from_secs_f64((share * HARD_FACTOR).min(max));
        let hard = hard.max(MIN_TIME.min(clock.remaining / 2));
        TimeBudget { soft: Duration::from_secs_f64(share * SOFT_FACTOR).min(hard), hard }
    }
}

/// The phase of a game, from 1 at the start towards 0: the fraction of the initial pieces that are
/// still on the board.
pub fn game_phase<R: Rules>(game: &BitGame<R>) -> f64 {
    let at_start = 2 * game.setup().start_rows.len() * <R::Geometry as Geometry>::ROW;
    (game.position().occupied().len() as f64 / at_start as f64).min(1.0)
}

/// The number of moves among which the time is divided, at least 1. It is lower than the average
/// number of remaining moves, so that early moves get more time than late ones, since a game may
/// end at any time.
fn moves_to_go(moves: Option<u32>, phase: f64) -> f64 {
    let expected = MIN_MOVES + (MAX_MOVES - MIN_MOVES) * phase;
    moves.map_or(expected, |moves| f64::from(moves.max(1)).min(expected))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::overhead::OverheadEstimate;
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    const fn clock(remaining: Duration, increment: Duration, moves: Option<u32>) -> Clock {
        Clock { remaining, increment, moves, overhead: Duration::ZERO }
    }

    /// The phase at a move of a typical game, in which the number of pieces falls from 40 to 6.
    fn usual_phase(mv: u32) -> f64 {
        (1.0 - 0.017 * f64::from(mv)).max(0.15)
    }

    /// Simulates moves on a clock, which is refilled at each time control, if any. `usage` returns
    /// the time of a move, including overhead. Returns the time left at the end and the minimum
    /// time left after any move, or the move at which time ran out as `Err`.
    fn play(
        moves: u32,
        first: Clock,
        usage: impl Fn(u32, TimeBudget) -> Duration,
    ) -> Result<(Duration, Duration), u32> {
        let Clock { remaining, increment, moves: session, .. } = first;
        let (mut left, mut least) = (remaining, remaining);
        let mut estimate = OverheadEstimate::default();
        for mv in 0..moves {
            let to_go = session.map(|session| session - mv % session);
            if mv > 0 && to_go == session && session.is_some() {
                left += remaining;
            }
            left += increment;
            let clock = estimate.before_move(clock(left, increment, to_go));
            let budget = TimeBudget::from_clock(clock, usual_phase(mv));
            let time = usage(mv, budget);
            estimate.after_move(clock, planned(budget).min(time));
            left = left.checked_sub(time).ok_or(mv)?;
            least = least.min(left);
        }
        Ok((left, least))
    }

    /// The worst case: the hard limit plus a large overhead.
    fn worst(_: u32, budget: TimeBudget) -> Duration {
        budget.hard + ms(5)
    }

    /// The time of a usual search, whose last iteration overruns the soft limit.
    fn planned(budget: TimeBudget) -> Duration {
        budget.soft.div_f64(SOFT_FACTOR).min(budget.hard)
    }

    /// The average case.
    fn usual(_: u32, budget: TimeBudget) -> Duration {
        planned(budget) + Duration::from_micros(500)
    }

    /// A machine busy with other work: lags of 1 ms, occasionally up to 30 ms.
    fn jittery(mv: u32, budget: TimeBudget) -> Duration {
        let lag = match mv * 7 % 23 {
            0 => 30,
            1 => 20,
            2..=5 => 5,
            _ => 1,
        };
        budget.hard + ms(lag)
    }

    /// A machine on which every move takes 35 ms longer than planned, and one in eleven 135 ms.
    fn overloaded(mv: u32, budget: TimeBudget) -> Duration {
        planned(budget) + ms(if mv % 11 == 10 { 135 } else { 35 })
    }

    #[test]
    fn moves_adapt_to_an_overloaded_machine() {
        for (moves, time) in [(80, 5_000), (10, 1_000)] {
            let session = clock(ms(time), Duration::ZERO, Some(moves));
            let played = play(3 * moves, session, overloaded);
            assert!(played.is_ok(), "{moves} moves in {time} ms: {played:?}");
        }
        assert!(play(200, clock(ms(10_000), ms(50), None), overloaded).is_ok());
    }

    #[test]
    fn a_long_game_in_a_second_never_runs_out_of_time() {
        let second = clock(ms(1_000), Duration::ZERO, None);
        for usage in [worst, jittery] {
            let played = play(100, second, usage);
            assert!(played.is_ok(), "out of time at move {played:?}");
        }
    }

    #[test]
    fn a_long_game_with_a_small_increment_never_runs_out_of_time() {
        for usage in [worst, jittery] {
            let (_, least) = play(150, clock(ms(100), ms(10), None), usage).unwrap();
            assert!(least >= ms(30), "{least:?}");
        }
    }

    #[test]
    fn sessions_do_not_run_out_of_time_and_use_most_of_it() {
        for (moves, time) in [(1, 100), (2, 100), (5, 1_000), (40, 60_000), (100, 60_000)] {
            let session = clock(ms(time), Duration::ZERO, Some(moves));
            assert!(play(3 * moves, session, worst).is_ok(), "{moves} moves in {time} ms");
        }
        let (left, _) = play(40, clock(ms(60_000), Duration::ZERO, Some(40)), usual).unwrap();
        assert!(left < ms(60_000 * 15 / 100), "{left:?}");
        let (left, _) = play(5, clock(ms(1_000), Duration::ZERO, Some(5)), usual).unwrap();
        assert!(left < ms(200), "{left:?}");
    }

    #[test]
    fn most_of_the_time_of_a_game_is_used() {
        for (time, increment) in [(60_000, 0), (600_000, 0), (60_000, 600)] {
            let clock = clock(ms(time), ms(increment), None);
            let (left, _) = play(60, clock, usual).unwrap();
            assert!(left > ms(time / 50) && left < ms(time * 15 / 100), "{left:?} of {clock:?}");
        }
    }

    #[test]
    fn the_last_move_of_a_session_may_take_nearly_all_that_is_left() {
        let budget = TimeBudget::from_clock(clock(ms(10_000), Duration::ZERO, Some(1)), 0.5);
        assert_eq!(budget.hard, ms(9_850));
    }

    #[test]
    fn an_empty_clock_leaves_no_time() {
        let budget = TimeBudget::from_clock(Clock::default(), 1.0);
        assert_eq!(budget, TimeBudget { soft: Duration::ZERO, hard: Duration::ZERO });
    }

    #[test]
    fn huge_clocks_do_not_overflow() {
        for increment in [Duration::ZERO, Duration::MAX] {
            for moves in [None, Some(0), Some(1), Some(u32::MAX)] {
                let budget = TimeBudget::from_clock(clock(Duration::MAX, increment, moves), 1.0);
                assert!(budget.hard > ms(1_000_000) && budget.soft <= budget.hard);
            }
        }
        assert_eq!(TimeBudget::for_move(Duration::MAX).hard, Duration::MAX - MOVE_OVERHEAD);
    }

    #[test]
    fn a_move_time_is_used_less_the_overhead() {
        assert_eq!(TimeBudget::for_move(ms(1_000)).hard, ms(990));
        assert_eq!(TimeBudget::for_move(ms(100)).hard, ms(95));
        assert_eq!(TimeBudget::for_move(ms(10)).hard, Duration::from_micros(9_500));
        assert_eq!(TimeBudget::for_move(Duration::ZERO).hard, Duration::ZERO);
    }

    #[test]
    fn the_lowest_limit_applies() {
        let both = |move_time, remaining| {
            let clock = clock(ms(remaining), Duration::ZERO, None);
            let limits =
                Limits { move_time: Some(ms(move_time)), clock: Some(clock), ..Limits::default() };
            TimeBudget::new(&limits, 1.0, false)
        };
        assert_eq!(both(1_000, 1_000_000).hard, ms(990));
        let short = both(1_000, 1_000);
        assert!(short.hard < ms(100) && short.soft < short.hard);
        let none = TimeBudget::new(&Limits::default(), 1.0, false);
        assert_eq!(none, TimeBudget::UNLIMITED);
    }

    #[test]
    fn an_only_move_is_instant_except_in_analysis() {
        let limits = |mode| Limits { move_time: Some(ms(1_000)), mode, ..Limits::default() };
        for mode in [Mode::Think, Mode::Ponder] {
            assert_eq!(TimeBudget::new(&limits(mode), 1.0, true), TimeBudget::ONLY_MOVE);
        }
        assert_eq!(TimeBudget::new(&limits(Mode::Analyze), 1.0, true).hard, ms(990));
        assert_eq!(TimeBudget::new(&Limits::default(), 1.0, true), TimeBudget::UNLIMITED);
    }

    fn clocks() -> impl Strategy<Value = Clock> {
        // Covers times of milliseconds as well as hours.
        let time =
            || prop_oneof![0..2_000_000_u64, 0..20_000_000_000_u64].prop_map(Duration::from_micros);
        let moves = prop::option::of(prop_oneof![0..200_u32, any::<u32>()]);
        let increment = prop_oneof![Just(Duration::ZERO), time()];
        (time(), increment, moves)
            .prop_map(|(remaining, increment, moves)| clock(remaining, increment, moves))
    }

    proptest! {
        #[test]
        fn the_soft_limit_is_at_most_the_hard_limit(clock in clocks(), phase in 0.0..=1.0) {
            let TimeBudget { soft, hard } = TimeBudget::from_clock(clock, phase);
            prop_assert!(soft <= hard);
            // Some time is left for the overhead.
            let kept = GAME_RESERVE.min(clock.remaining / 2);
            prop_assert!(hard + kept <= clock.remaining + Duration::from_nanos(2));
        }

        #[test]
        fn more_time_on_the_clock_never_shortens_a_move(clock in clocks(), phase in 0.0..=1.0, more in 0..5_000_000_u64) {
            let more = Duration::from_micros(more);
            let budget = TimeBudget::from_clock(clock, phase);
            let richer = [
                Clock { remaining: clock.remaining + more, ..clock },
                Clock { increment: clock.increment + more, ..clock },
                Clock { moves: clock.moves.map(|moves| moves.max(2) - 1), ..clock },
            ];
            for clock in richer {
                let TimeBudget { soft, hard } = TimeBudget::from_clock(clock, phase);
                let rounding = Duration::from_nanos(2);
                prop_assert!(soft + rounding >= budget.soft && hard + rounding >= budget.hard);
            }
        }

        #[test]
        fn endings_get_a_larger_share(clock in clocks(), phases in [0.0..=1.0, 0.0..=1.0]) {
            let [a, b] = phases;
            let [early, late] =
                [f64::max(a, b), f64::min(a, b)].map(|phase| TimeBudget::from_clock(clock, phase).soft);
            prop_assert!(late + Duration::from_nanos(2) >= early);
        }
    }
}
