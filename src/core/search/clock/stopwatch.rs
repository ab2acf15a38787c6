//! The clock of one search.

use std::time::Duration;

use crate::instant::Instant;
use crate::search::limits::{Control, Limits, Mode};

use super::budget::Budget;
use super::pace::{Iteration, Pace};

/// The clock of one search.
///
/// A ponder search has no end before the ponder-hit. After it the hard limit counts from the hit,
/// when our clock starts to run; the soft limit counts from the start of the search, as pondering
/// is thinking too: after a long ponder the answer is immediate, after a short one the search goes
/// on. A move time, which is a hard limit only, counts from the hit.
#[derive(Clone, Debug)]
pub(in crate::search) struct Stopwatch {
    /// When the search began.
    began: Instant,
    budget: Budget,
    mode: Mode,
    pace: Pace,
    /// Whether the last completed iteration ended past the scaled soft limit.
    is_enough: bool,
    /// When the search pauses.
    pause: Option<Instant>,
}

impl Stopwatch {
    /// The clock of a search begun at an instant, in a phase of the game ([`phase`](super::phase)).
    pub(in crate::search) fn new(
        began: Instant,
        limits: &Limits,
        phase: f64,
        is_only_move: bool,
    ) -> Self {
        let budget = Budget::new(limits, phase, is_only_move);
        Stopwatch {
            began,
            budget,
            mode: limits.mode,
            pace: Pace::new(),
            is_enough: false,
            pause: None,
        }
    }

    /// The same clock, for a search that pauses at an instant.
    pub(in crate::search) fn until(self, pause: Option<Instant>) -> Self {
        Stopwatch { pause, ..self }
    }

    /// Whether the search must pause.
    pub(in crate::search) fn is_paused(&self) -> bool {
        self.pause.is_some_and(|pause| Instant::now() >= pause)
    }

    /// Time since the search began, pondering included.
    pub(in crate::search) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Records a completed iteration. Whether the search must end is up to [`Stopwatch::is_over`].
    pub(in crate::search) fn note(&mut self, iteration: Iteration) {
        self.pace.note(iteration);
        let Budget { soft, .. } = self.budget;
        self.is_enough = soft < Duration::MAX && self.elapsed() >= soft.mul_f64(self.pace.factor());
    }

    /// Whether the search must end now: the hard limit is reached, or the last iteration ended past
    /// the soft limit.
    pub(in crate::search) fn is_over(&self, control: &Control) -> bool {
        let started = match self.mode {
            Mode::Ponder => control.ponder_hit_at(),
            Mode::Think | Mode::Analyze => Some(self.began),
        };
        started.is_some_and(|started| self.is_enough || started.elapsed() >= self.budget.hard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::legal_moves;
    use crate::position::BitPosition;
    use crate::rules::International;
    use crate::score::Score;
    use crate::search::limits::Clock;

    /// The time on the clock in all tests.
    const TIME: Duration = Duration::from_secs(600);

    /// The clock of a search begun some time ago, after one iteration.
    fn after_an_iteration(ago: Duration, limits: Limits) -> Stopwatch {
        let began = Instant::now().checked_sub(ago).unwrap();
        let position = BitPosition::<International>::start();
        let mut watch = Stopwatch::new(began, &limits, 1.0, false);
        let mv = legal_moves(&position)[0].into();
        watch.note(Iteration { mv, score: Score::DRAW });
        watch
    }

    /// Limits by a game clock: a soft limit of 12 seconds, a hard one of 60.
    fn by_clock(mode: Mode) -> Limits {
        let clock = Clock { remaining: TIME, ..Clock::default() };
        Limits { clock: Some(clock), mode, ..Limits::default() }
    }

    const fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn an_iteration_after_the_soft_limit_is_the_last() {
        let control = Control::new();
        assert!(!after_an_iteration(secs(10), by_clock(Mode::Think)).is_over(&control));
        assert!(after_an_iteration(secs(20), by_clock(Mode::Think)).is_over(&control));
    }

    #[test]
    fn the_hard_limit_ends_an_iteration() {
        let began = Instant::now().checked_sub(secs(70)).unwrap();
        let is_over =
            |limits: Limits| Stopwatch::new(began, &limits, 1.0, false).is_over(&Control::new());
        assert!(is_over(by_clock(Mode::Think)));
        let by_move = |time| Limits { move_time: Some(time), ..Limits::default() };
        assert!(is_over(by_move(secs(70))));
        assert!(!is_over(by_move(secs(80))));
        assert!(!is_over(Limits::default()));
    }

    #[test]
    fn pondering_has_no_end_before_the_hit() {
        let control = Control::new();
        let no_time = Limits { move_time: Some(Duration::ZERO), ..by_clock(Mode::Ponder) };
        assert!(!after_an_iteration(TIME, no_time).is_over(&control));
        assert!(!after_an_iteration(TIME, by_clock(Mode::Ponder)).is_over(&control));
    }

    #[test]
    fn after_a_long_ponder_the_hit_ends_the_search() {
        let control = Control::new();
        let watch = after_an_iteration(secs(20), by_clock(Mode::Ponder));
        control.ponder_hit();
        assert!(watch.is_over(&control));
    }

    #[test]
    fn after_a_short_ponder_the_hard_limit_counts_from_the_hit() {
        let control = Control::new();
        control.ponder_hit();
        assert!(!after_an_iteration(secs(10), by_clock(Mode::Ponder)).is_over(&control));
        let began = Instant::now().checked_sub(secs(300)).unwrap();
        // No iteration has been completed, however long the search has been going on.
        let watch = Stopwatch::new(began, &by_clock(Mode::Ponder), 1.0, false);
        assert!(!watch.is_over(&control));
    }

    #[test]
    fn a_time_for_the_move_counts_from_the_hit() {
        let limits =
            |time| Limits { move_time: Some(time), mode: Mode::Ponder, ..Limits::default() };
        let control = Control::new();
        control.ponder_hit();
        assert!(!after_an_iteration(TIME, limits(secs(10))).is_over(&control));
        assert!(after_an_iteration(TIME, limits(Duration::ZERO)).is_over(&control));
    }
}
