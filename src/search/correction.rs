//! Correction history: by how much the search has found the evaluation wrong, for each structure of
//! men. Structures change slowly, so what was wrong a move ago mostly still is. (First seen in the
//! chess engines Caissa and Stockfish, 2023.)

use crate::board::{Bits, Side};
use crate::position::Position;
use crate::rules::Rules;
use crate::score::Score;

use super::params::{CORRECTION_ENTRIES, CORRECTION_LIMIT, CORRECTION_UNIT, Params};
use super::shared::Numbers;

/// The mean error of the evaluation, by side to move and men.
pub(super) struct Correction(Numbers);

impl Correction {
    /// Nothing is known to be wrong.
    pub(super) fn new() -> Self {
        Correction(Numbers::new(2 * CORRECTION_ENTRIES))
    }

    /// An evaluation, corrected.
    #[inline(always)]
    pub(super) fn apply<R: Rules>(
        &self,
        position: &Position<R>,
        evaluation: Score,
        params: &Params,
    ) -> Score {
        let error = i32::from(self.0.get(index(position))) * params.correction_weight / 100;
        Score::evaluation(i32::from(evaluation.0) + error / CORRECTION_UNIT)
    }

    /// The search to `depth` has found a score where there was an evaluation.
    #[inline]
    pub(super) fn learn<R: Rules>(
        &self,
        position: &Position<R>,
        evaluation: Score,
        score: Score,
        depth: i32,
    ) {
        /// How much of an entry a search replaces at most, in 1/256.
        const MOST: i32 = 16;
        let index = index(position);
        let weight = (depth + 1).min(MOST);
        let error = (i32::from(score.0) - i32::from(evaluation.0)) * CORRECTION_UNIT;
        let mean = (i32::from(self.0.get(index)) * (256 - weight) + error * weight) / 256;
        self.0.set(index, mean.clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT) as i16);
    }
}

/// The entry of a position.
#[inline(always)]
fn index<R: Rules>(position: &Position<R>) -> usize {
    // Multiplicative hashing; the constants are odd and have no pattern.
    let men = |side| position.men(side).0.folded();
    let mixed = men(Side::White).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ men(Side::Black).wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
    let hash = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32;
    position.side().index() * CORRECTION_ENTRIES + (hash as usize & (CORRECTION_ENTRIES - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::International;

    #[test]
    fn an_error_that_comes_again_is_corrected() {
        let position = Position::<International>::start();
        let params = Params::default();
        let correction = Correction::new();
        assert_eq!(correction.apply(&position, Score(5), &params), Score(5));
        for _ in 0..200 {
            correction.learn(&position, Score(5), Score(25), 9);
        }
        assert!((Score(23)..=Score(25)).contains(&correction.apply(&position, Score(5), &params)));
        for _ in 0..200 {
            correction.learn(&position, Score(5), Score::win_in(9), 9);
        }
        let most = CORRECTION_LIMIT / CORRECTION_UNIT;
        assert_eq!(correction.apply(&position, Score(5), &params).0, 5 + most as i16);
    }
}
