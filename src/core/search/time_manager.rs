//! Time management: compares the elapsed time, including pondering, with the time budget of a
//! search, and adjusts the soft limit according to the stability of the best move and the score.

use std::time::Duration;

use crate::board::PackedMove;
use crate::instant::Instant;
use crate::score::Score;

use super::limits::{Control, Limits, Mode};
use super::params::{
    FALL_UNIT, MAX_FALL, MAX_INSTABILITY, MAX_TIME_FACTOR, MIN_INSTABILITY, STABLE_FACTOR,
    UNSTABLE_FACTOR,
};
use super::time_budget::TimeBudget;

/// The clock of one search.
///
/// A ponder search does not end before the ponder-hit. The hard limit counts from the hit, when the
/// engine's clock starts. The soft limit counts from the start of the search, since pondering is
/// also search time: after a long ponder the engine replies at once, after a short one the search
/// continues. A move time sets only the hard limit, so it counts from the hit.
#[derive(Clone, Debug)]
pub struct TimeManager {
    /// When the search started.
    start: Instant,
    budget: TimeBudget,
    mode: Mode,
    scale: SoftLimitScale,
    /// Whether the last completed iteration ended past the adjusted soft limit.
    is_past_soft_limit: bool,
    /// When the search pauses.
    pause: Option<Instant>,
}

impl TimeManager {
    /// The clock of a search that started at `start`, in a given
    /// [phase](super::time_budget::game_phase) of the game.
    pub fn new(start: Instant, limits: &Limits, phase: f64, is_only_move: bool) -> Self {
        TimeManager {
            start,
            budget: TimeBudget::new(limits, phase, is_only_move),
            mode: limits.mode,
            scale: SoftLimitScale::new(),
            is_past_soft_limit: false,
            pause: None,
        }
    }

    /// A copy of this clock for a search that pauses at the given instant, if any.
    pub fn until(self, pause: Option<Instant>) -> Self {
        TimeManager { pause, ..self }
    }

    /// Whether the search must pause.
    pub fn must_pause(&self) -> bool {
        self.pause.is_some_and(|pause| Instant::now() >= pause)
    }

    /// The time after which the search stops in the middle of an iteration.
    pub fn hard_limit(&self) -> Duration {
        self.budget.hard
    }

    /// Time since the search started, pondering included.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Records a completed iteration. [`TimeManager::is_up`] then returns whether the search must
    /// end.
    pub fn update(&mut self, iteration: Iteration) {
        self.scale.update(iteration);
        let soft = self.budget.soft;
        self.is_past_soft_limit =
            soft < Duration::MAX && self.elapsed() >= soft.mul_f64(self.scale.factor());
    }

    /// Whether the search must end now: the hard limit is reached, or the last iteration ended past
    /// the soft limit.
    pub fn is_up(&self, control: &Control) -> bool {
        let start = match self.mode {
            Mode::Ponder => control.ponder_hit_at(),
            Mode::Think | Mode::Analyze => Some(self.start),
        };
        start.is_some_and(|start| self.is_past_soft_limit || start.elapsed() >= self.budget.hard)
    }
}

/// The result of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iteration {
    pub best_move: PackedMove,
    pub score: Score,
}

/// Adjusts the soft limit after each iteration: up if the best move keeps changing or the score
/// falls, down if the best move is stable.
#[derive(Clone, Copy, PartialEq, Debug)]
struct SoftLimitScale {
    best: Option<PackedMove>,
    /// Decreases with each iteration that confirms the best move, increases with each that changes
    /// it, as in Scan (F. Letouzey).
    instability: f64,
    /// The expected score: a running mean in which each score has the same weight as all earlier
    /// scores together.
    expected: f64,
    /// How far the last score fell below the expected score, in hundredths of a man.
    fall: f64,
}

impl SoftLimitScale {
    /// The state before the first iteration.
    fn new() -> Self {
        SoftLimitScale { best: None, instability: 1.0, expected: 0.0, fall: 0.0 }
    }

    /// Records a completed iteration.
    fn update(&mut self, iteration: Iteration) {
        let score = f64::from(iteration.score.0);
        match self.best.replace(iteration.best_move) {
            None => self.expected = score,
            Some(best) if best == iteration.best_move => {
                self.instability = (self.instability * STABLE_FACTOR).max(MIN_INSTABILITY);
            }
            Some(_) => {
                self.instability =
                    (self.instability.max(1.0) * UNSTABLE_FACTOR).min(MAX_INSTABILITY)
            }
        }
        self.fall = self.expected - score;
        self.expected = f64::midpoint(self.expected, score);
    }

    /// The factor by which the soft limit is multiplied: from [`MIN_INSTABILITY`] to
    /// [`MAX_TIME_FACTOR`].
    fn factor(&self) -> f64 {
        let extension = 1.0 + (self.fall / FALL_UNIT).clamp(0.0, MAX_FALL);
        (self.instability * extension).min(MAX_TIME_FACTOR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::legal_moves;
    use crate::position::BitPosition;
    use crate::rules::{International, Variant};
    use crate::search::limits::Clock;

    /// The time on the clock in all tests.
    const TIME: Duration = Duration::from_secs(600);

    /// The clock of a search that started `ago` before now, after one iteration.
    fn after_an_iteration(ago: Duration, limits: Limits) -> TimeManager {
        let start = Instant::now().checked_sub(ago).unwrap();
        let position = BitPosition::start_of(International, Variant::International.setup());
        let mut time = TimeManager::new(start, &limits, 1.0, false);
        let best_move = legal_moves(&position)[0].into();
        time.update(Iteration { best_move, score: Score::DRAW });
        time
    }

    /// A game clock that results in a soft limit of 12 seconds and a hard limit of 60.
    fn by_clock(mode: Mode) -> Limits {
        let clock = Clock { remaining: TIME, ..Clock::default() };
        Limits { clock: Some(clock), mode, ..Limits::default() }
    }

    const fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn no_iteration_starts_past_the_soft_limit() {
        let control = Control::new();
        assert!(!after_an_iteration(secs(10), by_clock(Mode::Think)).is_up(&control));
        assert!(after_an_iteration(secs(20), by_clock(Mode::Think)).is_up(&control));
    }

    #[test]
    fn the_hard_limit_ends_an_iteration() {
        let start = Instant::now().checked_sub(secs(70)).unwrap();
        let is_up =
            |limits: Limits| TimeManager::new(start, &limits, 1.0, false).is_up(&Control::new());
        assert!(is_up(by_clock(Mode::Think)));
        let by_move = |time| Limits { move_time: Some(time), ..Limits::default() };
        assert!(is_up(by_move(secs(70))));
        assert!(!is_up(by_move(secs(80))));
        assert!(!is_up(Limits::default()));
    }

    #[test]
    fn pondering_does_not_end_before_the_hit() {
        let control = Control::new();
        let no_time = Limits { move_time: Some(Duration::ZERO), ..by_clock(Mode::Ponder) };
        assert!(!after_an_iteration(TIME, no_time).is_up(&control));
        assert!(!after_an_iteration(TIME, by_clock(Mode::Ponder)).is_up(&control));
    }

    #[test]
    fn after_a_long_ponder_the_hit_ends_the_search() {
        let control = Control::new();
        let time = after_an_iteration(secs(20), by_clock(Mode::Ponder));
        control.ponder_hit();
        assert!(time.is_up(&control));
    }

    #[test]
    fn after_a_short_ponder_the_hard_limit_counts_from_the_hit() {
        let control = Control::new();
        control.ponder_hit();
        assert!(!after_an_iteration(secs(10), by_clock(Mode::Ponder)).is_up(&control));
        let start = Instant::now().checked_sub(secs(300)).unwrap();
        // The search started long ago but has not completed an iteration.
        let time = TimeManager::new(start, &by_clock(Mode::Ponder), 1.0, false);
        assert!(!time.is_up(&control));
    }

    #[test]
    fn a_move_time_counts_from_the_hit() {
        let limits =
            |time| Limits { move_time: Some(time), mode: Mode::Ponder, ..Limits::default() };
        let control = Control::new();
        control.ponder_hit();
        assert!(!after_an_iteration(TIME, limits(secs(10))).is_up(&control));
        assert!(after_an_iteration(TIME, limits(Duration::ZERO)).is_up(&control));
    }

    fn moves() -> Vec<PackedMove> {
        let legal =
            legal_moves(&BitPosition::start_of(International, Variant::International.setup()));
        legal.iter().map(|&mv| mv.into()).collect()
    }

    /// The factor after the given iterations, each with the index of its best move and its score.
    fn factor(iterations: &[(usize, i16)]) -> f64 {
        let moves = moves();
        let mut scale = SoftLimitScale::new();
        for &(index, score) in iterations {
            scale.update(Iteration { best_move: moves[index], score: Score(score) });
        }
        scale.factor()
    }

    #[test]
    fn a_stable_best_move_reduces_the_time() {
        let stable = [(0, 10); 30];
        assert_eq!(factor(&stable[..1]), 1.0);
        let factors: Vec<_> = (1..=30).map(|count| factor(&stable[..count])).collect();
        assert!(factors.is_sorted_by(|a, b| a >= b), "{factors:?}");
        assert_eq!(factors[29], MIN_INSTABILITY);
    }

    #[test]
    fn a_new_best_move_extends_the_time_after_many_stable_iterations() {
        let mut found = vec![(0, 10); 20];
        found.push((1, 10));
        assert_eq!(factor(&found), UNSTABLE_FACTOR);
        found.extend([(0, 10), (1, 10), (0, 10)]);
        assert!(factor(&found) > UNSTABLE_FACTOR);
        found.extend([(0, 10); 3]);
        assert!(factor(&found) < MAX_INSTABILITY);
    }

    #[test]
    fn a_falling_score_extends_the_time_and_a_rising_one_does_not() {
        let stable = factor(&[(0, 10), (0, 10), (0, 10)]);
        let falls: Vec<_> =
            [0, 10, 20, 100, 9_000].map(|fall| factor(&[(0, 10), (0, 10), (0, 10 - fall)])).into();
        assert!(falls.is_sorted() && falls[1] > stable, "{falls:?}");
        assert_eq!(falls[4], stable * (1.0 + MAX_FALL));
        assert_eq!(factor(&[(0, 10), (0, 10), (0, 500)]), stable);
        // The lower score soon becomes the expected one.
        assert!(factor(&[(0, 10), (0, -50), (0, -50), (0, -50)]) < factor(&[(0, 10), (0, -50)]));
    }

    #[test]
    fn the_factor_is_bounded() {
        let worst: Vec<_> = (0..30_i16).map(|n| (n as usize % 2, -100 * n)).collect();
        assert_eq!(factor(&worst), MAX_TIME_FACTOR);
    }
}
