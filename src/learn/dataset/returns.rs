//! λ-returns: scores that look ahead in the game.
//!
//! A short search does not see where a game is going; the searches of the moves that follow see more
//! of it, and the result of the game most, but that also depends on later mistakes. The λ-return of
//! temporal-difference learning (R. Sutton, Learning to predict by the methods of temporal
//! differences, 1988) averages all of them with weights that decrease with the distance in plies.

use std::ops::RangeInclusive;

use crate::board::Side;
use crate::game::GameResult;
use crate::learn::correlation::winning_chance;
use crate::learn::data::Sample;
use crate::score::Score;

/// Averaged winning chances are clamped to this range, so that their scores stay finite.
const CHANCES: RangeInclusive<f64> = 0.0005..=0.9995;

/// Replaces the scores of a game by their λ-returns. `lambda` is the weight of the rest of the game
/// for a distance of one ply, 0 to 1: 0 keeps the scores, 1 is the result alone. The averages are
/// those of winning chances. Digressions and proven results keep their scores.
pub(super) fn look_ahead(game: &mut [Sample], lambda: f64) {
    let mut next: Option<(u16, f64)> = None;
    for sample in game.iter_mut().rev().filter(|sample| !sample.is_digression) {
        let (ply, rest) = next.unwrap_or((sample.ply + 1, result(sample)));
        let distance = ply.saturating_sub(sample.ply);
        let weight = lambda.powi(distance.into());
        let chance = weight * rest + (1.0 - weight) * chance_of_white(sample);
        next = Some((sample.ply, chance));
        if !sample.score.is_decisive() {
            sample.score = score(chance, sample.setup.side);
        }
    }
}

/// The result of a sample's game as points of White, 0 to 1.
fn result(sample: &Sample) -> f64 {
    f64::from(GameResult::of(sample.winner, Side::White).half_points()) / 2.0
}

/// White's winning chance according to the score.
fn chance_of_white(sample: &Sample) -> f64 {
    let chance = f64::from(winning_chance(f32::from(sample.score.0) / 100.0));
    if sample.setup.side == Side::White { chance } else { 1.0 - chance }
}

/// The score, for `side`, of a winning chance of White.
fn score(chance_of_white: f64, side: Side) -> Score {
    let chance = if side == Side::White { chance_of_white } else { 1.0 - chance_of_white };
    let chance = chance.clamp(*CHANCES.start(), *CHANCES.end());
    Score((100.0 * libm::log(chance / (1.0 - chance))).round() as i16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Setup;

    fn sample(side: Side, ply: u16, score: i16, winner: Option<Side>) -> Sample {
        Sample { setup: Setup::empty(side), score: Score(score), ply, winner, is_digression: false }
    }

    fn scores(game: &[Sample], lambda: f64) -> Vec<i16> {
        let mut game = game.to_vec();
        look_ahead(&mut game, lambda);
        game.iter().map(|sample| sample.score.0).collect()
    }

    #[test]
    fn scores_move_towards_later_ones() {
        let game = [
            sample(Side::White, 10, 0, Some(Side::White)),
            sample(Side::Black, 11, -20, Some(Side::White)),
            sample(Side::White, 14, 300, Some(Side::White)),
        ];
        assert_eq!(scores(&game, 0.0), [0, -20, 300]);
        // White's chances: 0.5 * 1 + 0.5 * 0.9526 = 0.9763 for the last, then 0.125 * 0.9763 + 0.875
        // * 0.5498 = 0.6031, and 0.5 * 0.6031 + 0.5 * 0.5 for the first.
        assert_eq!(scores(&game, 0.5), [21, -42, 372]);
        assert_eq!(scores(&game, 1.0), [760, -760, 760]);
    }

    #[test]
    fn draws_move_scores_towards_zero() {
        let game = [sample(Side::Black, 30, 100, None), sample(Side::White, 31, -100, None)];
        let [early, late] = scores(&game, 0.5)[..] else { panic!() };
        assert!(-50 < late && late < -40 && 60 < early && early < 80, "{early} {late}");
    }

    #[test]
    fn digressions_and_proven_results_keep_their_scores() {
        let digression =
            Sample { is_digression: true, ..sample(Side::Black, 21, 500, Some(Side::Black)) };
        let proven = Score::win_in(5).0;
        let game = [
            sample(Side::White, 20, 0, Some(Side::Black)),
            digression,
            sample(Side::Black, 21, proven, Some(Side::Black)),
        ];
        let [first, second, last] = scores(&game, 0.5)[..] else { panic!() };
        assert_eq!((second, last), (500, proven));
        assert_eq!(first, -110, "half of a loss");
    }
}
