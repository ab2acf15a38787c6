//! An estimate of the time that moves take on the game clock beyond their searches: delays between
//! the engine and the clock, and stalls of the engine on a busy machine.

use std::time::Duration;

use super::limits::Clock;

/// The overhead per move in a game, measured from one move to the next.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct OverheadEstimate {
    /// The running mean.
    mean: Duration,
    /// The number of moves measured, at most [`Self::MOVES`].
    moves: u32,
    /// The clock before the engine's last move, and the time of the search up to its hard limit.
    last: Option<(Clock, Duration)>,
}

impl OverheadEstimate {
    /// The number of moves over which the mean runs.
    const MOVES: u32 = 16;

    /// The clock before a move, with the overhead to expect: one and a half times the mean, since the
    /// overhead varies and underestimating it loses the game.
    #[must_use]
    pub fn before_move(&mut self, clock: Clock) -> Clock {
        if let Some(overhead) = self.last.take().and_then(|last| Self::between(last, clock)) {
            self.moves = Self::MOVES.min(self.moves + 1);
            self.mean = (self.mean * (self.moves - 1) + overhead) / self.moves;
        }
        Clock { overhead: self.mean * 3 / 2, ..clock }
    }

    /// Records a move: the clock before it, and the time of the search up to its hard limit.
    pub fn after_move(&mut self, clock: Clock, time: Duration) {
        self.last = Some((clock, time));
    }

    /// Forgets the last move, since the next clock is not that of the same game.
    pub fn new_game(&mut self) {
        self.last = None;
    }

    /// The overhead of a move, from the clocks before it and before the next move. `None` if
    /// something else has changed the clock, such as a time control or a person.
    fn between((before, time): (Clock, Duration), after: Clock) -> Option<Duration> {
        let expected = (before.remaining + after.increment).checked_sub(time)?;
        let overhead = expected.checked_sub(after.remaining)?;
        (overhead <= before.remaining / 2).then_some(overhead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn clock(remaining: u64, increment: u64) -> Clock {
        Clock { remaining: ms(remaining), increment: ms(increment), ..Clock::default() }
    }

    #[test]
    fn the_estimate_follows_the_overhead() {
        let mut estimate = OverheadEstimate::default();
        let mut remaining = 10_000;
        let mut overheads = vec![];
        for mv in 0..60 {
            overheads.push(estimate.before_move(clock(remaining, 50)).overhead);
            estimate.after_move(clock(remaining, 50), ms(100));
            // A search of 100 ms takes 140 on the clock, and from the tenth move on 120.
            remaining -= if mv < 9 { 90 } else { 70 };
        }
        assert_eq!(overheads[..3], [ms(0), ms(60), ms(60)]);
        assert!(overheads[9..].is_sorted_by(|a, b| a >= b), "{overheads:?}");
        assert!((ms(30)..ms(33)).contains(&overheads[59]), "{overheads:?}");
    }

    #[test]
    fn other_changes_of_the_clock_do_not_count() {
        let mut estimate = OverheadEstimate::default();
        // A time control adds time; a person takes half of it away; another game starts.
        for (before, after) in [(1_000, 5_000), (5_000, 2_000)] {
            estimate.after_move(clock(before, 0), ms(100));
            assert_eq!(estimate.before_move(clock(after, 0)).overhead, ms(0));
        }
        estimate.after_move(clock(5_000, 0), ms(100));
        estimate.new_game();
        assert_eq!(estimate.before_move(clock(4_500, 0)).overhead, ms(0));
        // A measurement is used once.
        estimate.after_move(clock(5_000, 0), ms(100));
        assert_eq!(estimate.before_move(clock(4_860, 0)).overhead, ms(60));
        assert_eq!(estimate.before_move(clock(4_000, 0)).overhead, ms(60));
    }
}
