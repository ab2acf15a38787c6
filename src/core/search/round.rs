//! A search of the root, as one thread tells the others of it.

use crate::score::Score;

/// A search of the root: its depth and window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Round {
    /// The depth in plies; 0 before the first round.
    pub(super) depth: u32,
    /// The lower bound of the window.
    pub(super) alpha: Score,
    /// The upper bound of the window.
    pub(super) beta: Score,
}

impl Round {
    /// Before the first round.
    pub(super) const NONE: Round = Round { depth: 0, alpha: Score::DRAW, beta: Score::DRAW };

    /// All of it in a number, 0 for [`Round::NONE`].
    pub(super) fn packed(self) -> u64 {
        let bits = |score: Score| u64::from(score.0 as u16);
        u64::from(self.depth) << 32 | bits(self.alpha) << 16 | bits(self.beta)
    }

    /// The inverse of [`Round::packed`].
    pub(super) fn unpacked(bits: u64) -> Self {
        let score = |bits: u64| Score(bits as u16 as i16);
        Round { depth: (bits >> 32) as u32, alpha: score(bits >> 16), beta: score(bits) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_unpacked_as_it_was() {
        let round = Round { depth: 99, alpha: -Score::INFINITY, beta: Score(-3) };
        assert_eq!(Round::unpacked(round.packed()), round);
        assert_eq!((Round::NONE.packed(), Round::unpacked(0)), (0, Round::NONE));
    }
}
