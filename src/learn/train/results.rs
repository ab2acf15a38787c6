//! Results of games: how probable each is, given the leads that the network predicts.
//!
//! A win has the logistic probability of the lead beyond a margin, a loss that of the opponent's, and
//! a draw has the rest (P. Rao and L. Kupper, *Ties in paired-comparison experiments*, 1967). The
//! margin depends on the position: where it is great, a lead is hard to win.

use crate::eval;
use crate::game::GameResult;

/// The lead that makes the odds of a win e times better, in men.
const STEP: f32 = eval::MARGIN_STEP as f32 / 100.0;
/// The least margin, in men.
const LEAST: f32 = eval::MIN_MARGIN as f32 / 100.0;
/// The margin of an untrained network, in men.
pub(super) const FIRST_MARGIN: f32 = 1.0;

/// The loss of a margin, which is the logarithm of the result's probability with its sign turned,
/// and its slope by the margin.
pub(super) fn loss(result: GameResult, lead: f32, margin: f32) -> (f32, f32) {
    let logistic = |lead: f32| 1.0 / (1.0 + libm::expf(-lead / STEP));
    let margin = margin.max(LEAST);
    let [win, loss] = [lead, -lead].map(|lead| logistic(lead - margin).clamp(1e-7, 1.0));
    let draw = (1.0 - win - loss).max(1e-7);
    let (chance, slope) = match result {
        GameResult::Win => (win, 1.0 - win),
        GameResult::Loss => (loss, 1.0 - loss),
        GameResult::Draw => (draw, -(win * (1.0 - win) + loss * (1.0 - loss)) / draw),
    };
    (-libm::logf(chance), slope / STEP)
}

#[cfg(test)]
mod tests {
    use crate::board::Side;

    use super::*;

    const RESULTS: [GameResult; 3] = [GameResult::Win, GameResult::Draw, GameResult::Loss];

    #[test]
    fn the_chances_of_all_results_are_one() {
        for (lead, margin) in [(0.0, 1.0), (2.5, 0.7), (-1.0, 4.0), (-6.0, 0.05)] {
            let chances = RESULTS.map(|result| libm::expf(-loss(result, lead, margin).0));
            assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{chances:?}");
        }
        let [win, draw, lost] = RESULTS.map(|result| loss(result, 1.5, 1.5).0);
        assert!((libm::expf(-win) - 0.5).abs() < 1e-6 && draw < lost);
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        const STEP: f32 = 1e-2;
        for result in RESULTS {
            for (lead, margin) in [(0.0, 1.0), (2.0, 0.7), (-1.0, 2.0), (-0.3, 0.4)] {
                let [below, above] =
                    [-STEP, STEP].map(|change| loss(result, lead, margin + change).0);
                let slope = loss(result, lead, margin).1;
                let measured = (above - below) / (2.0 * STEP);
                assert!((slope - measured).abs() < 1e-2, "{result:?}: {slope}, {measured}");
            }
        }
    }

    #[test]
    fn results_are_those_of_the_side_to_move() {
        let result = |winner| GameResult::of(winner, Side::Black);
        let winners = [Some(Side::Black), None, Some(Side::White)];
        assert_eq!(winners.map(result), RESULTS);
    }
}
