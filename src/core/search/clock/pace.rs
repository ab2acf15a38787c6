//! The share of its time that a move deserves.

use crate::board::PackedMove;
use crate::score::Score;
use crate::search::params::{
    CALM_FACTOR, FALL_UNIT, MAX_FALL, MAX_PACE, MAX_UNREST, MIN_UNREST, UNREST_FACTOR,
};

/// The result of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) struct Iteration {
    /// The best move.
    pub(in crate::search) mv: PackedMove,
    /// Its score.
    pub(in crate::search) score: Score,
}

/// The results of the iterations so far, as they bear on time. A best move that keeps changing
/// deserves more time, and so does a falling score, to look for a way out; a stable best move
/// deserves less.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pace {
    best: Option<PackedMove>,
    /// Decreases with each iteration that confirms the best move, increases with each that changes
    /// it, as in Scan (F. Letouzey).
    unrest: f64,
    /// The expected score: a running mean in which each score weighs as much as all before it.
    expected: f64,
    /// How far the last score fell below that, in hundredths of a man.
    fall: f64,
}

impl Pace {
    /// The state before the first iteration.
    pub(super) fn new() -> Self {
        Pace { best: None, unrest: 1.0, expected: 0.0, fall: 0.0 }
    }

    /// Records a completed iteration.
    pub(super) fn note(&mut self, iteration: Iteration) {
        let score = f64::from(iteration.score.0);
        match self.best.replace(iteration.mv) {
            None => self.expected = score,
            Some(best) if best == iteration.mv => {
                self.unrest = (self.unrest * CALM_FACTOR).max(MIN_UNREST);
            }
            Some(_) => self.unrest = (self.unrest.max(1.0) * UNREST_FACTOR).min(MAX_UNREST),
        }
        self.fall = self.expected - score;
        self.expected = f64::midpoint(self.expected, score);
    }

    /// The factor to scale the soft limit by: from [`MIN_UNREST`] to [`MAX_PACE`].
    pub(super) fn factor(&self) -> f64 {
        let alarm = 1.0 + (self.fall / FALL_UNIT).clamp(0.0, MAX_FALL);
        (self.unrest * alarm).min(MAX_PACE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board10;
    use crate::movegen::legal_moves;
    use crate::position::BitPosition;
    use crate::rules::International;

    fn moves() -> Vec<PackedMove> {
        let legal = legal_moves::<International>(&BitPosition::start());
        legal.iter().map(|&mv: &crate::board::BitMove<Board10>| mv.into()).collect()
    }

    /// The factor after iterations, given as the index of the best move and the score.
    fn factor(iterations: &[(usize, i16)]) -> f64 {
        let moves = moves();
        let mut pace = Pace::new();
        for &(index, score) in iterations {
            pace.note(Iteration { mv: moves[index], score: Score(score) });
        }
        pace.factor()
    }

    #[test]
    fn a_steady_move_needs_less_time_and_less() {
        let steady = [(0, 10); 30];
        assert_eq!(factor(&steady[..1]), 1.0);
        let factors: Vec<_> = (1..=30).map(|count| factor(&steady[..count])).collect();
        assert!(factors.is_sorted_by(|a, b| a >= b), "{factors:?}");
        assert_eq!(factors[29], MIN_UNREST);
    }

    #[test]
    fn a_change_of_mind_is_worth_time_also_after_a_long_calm() {
        let mut found = vec![(0, 10); 20];
        found.push((1, 10));
        assert_eq!(factor(&found), UNREST_FACTOR);
        found.extend([(0, 10), (1, 10), (0, 10)]);
        assert!(factor(&found) > UNREST_FACTOR);
        found.extend([(0, 10); 3]);
        assert!(factor(&found) < MAX_UNREST);
    }

    #[test]
    fn a_falling_score_is_worth_time_and_a_rising_one_costs_none() {
        let calm = factor(&[(0, 10), (0, 10), (0, 10)]);
        let falls: Vec<_> =
            [0, 10, 20, 100, 9_000].map(|fall| factor(&[(0, 10), (0, 10), (0, 10 - fall)])).into();
        assert!(falls.is_sorted() && falls[1] > calm, "{falls:?}");
        assert_eq!(falls[4], calm * (1.0 + MAX_FALL));
        assert_eq!(factor(&[(0, 10), (0, 10), (0, 500)]), calm);
        // The new score soon becomes the expected one.
        assert!(factor(&[(0, 10), (0, -50), (0, -50), (0, -50)]) < factor(&[(0, 10), (0, -50)]));
    }

    #[test]
    fn the_factor_is_bounded() {
        let worst: Vec<_> = (0..30_i16).map(|n| (n as usize % 2, -100 * n)).collect();
        assert_eq!(factor(&worst), MAX_PACE);
    }
}
