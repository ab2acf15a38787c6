//! The history heuristic (J. Schaeffer, *The history heuristic and alpha-beta search enhancements
//! in practice*, 1989): quiet moves that refuted a position are tried early in others.

use crate::board::{Geometry, Move, Side};

use super::params::HISTORY_LIMIT;

/// How good each quiet move has been lately, by side, from and to.
pub(super) struct History(Vec<i32>);

impl History {
    /// Nothing is known yet about moves on a board.
    pub(super) fn new<G: Geometry>() -> Self {
        History(vec![0; 2 * G::BITS * G::BITS])
    }

    /// The value of a quiet move, within plus or minus [`HISTORY_LIMIT`].
    #[inline(always)]
    pub(super) fn value<G: Geometry>(&self, side: Side, mv: Move<G>) -> i32 {
        self.0[index(side, mv)]
    }

    /// The last of `tried` has refuted a position that was searched to `depth`; those before it
    /// have not.
    #[inline]
    pub(super) fn reward<G: Geometry>(&mut self, side: Side, tried: &[Move<G>], depth: i32) {
        let bonus = (depth * depth).min(HISTORY_LIMIT / 4);
        let Some((&best, others)) = tried.split_last() else {
            return;
        };
        self.change(side, best, bonus);
        for &mv in others {
            self.change(side, mv, -bonus);
        }
    }

    /// Moves a value towards a limit, the slower the nearer it is.
    #[inline(always)]
    fn change<G: Geometry>(&mut self, side: Side, mv: Move<G>, bonus: i32) {
        let value = &mut self.0[index(side, mv)];
        *value += bonus - *value * bonus.abs() / HISTORY_LIMIT;
    }
}

#[inline(always)]
fn index<G: Geometry>(side: Side, mv: Move<G>) -> usize {
    (side.index() * G::BITS + mv.from.index()) * G::BITS + mv.to.index()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board12;

    #[test]
    fn values_rise_fall_and_stay_within_the_limit() {
        let square = |number| Board12::square(number).unwrap();
        let good = Move::<Board12>::quiet(square(72), square(66));
        let bad = Move::<Board12>::quiet(square(71), square(65));
        let mut history = History::new::<Board12>();
        for depth in 1..1_000 {
            history.reward(Side::Black, &[bad, good], depth);
            assert!((1..=HISTORY_LIMIT).contains(&history.value(Side::Black, good)));
            assert!((-HISTORY_LIMIT..0).contains(&history.value(Side::Black, bad)));
        }
        assert_eq!(history.value(Side::White, good), 0);
    }
}
