//! The history heuristic (J. Schaeffer, *The history heuristic and alpha-beta search enhancements
//! in practice*, 1989): quiet moves that refuted a position are tried early in others. Kept for
//! moves by themselves and for moves as replies to the last two (continuation history), along with
//! the last refutation of each move (J. Uiterwijk, *The countermove heuristic*, 1992).

use crate::board::{BitMove, Geometry, PackedMove, Side};

use super::params::{HISTORY_LIMIT, Params};
use super::shared::Numbers;

/// A move played before a node, as far as histories distinguish it: an index by side, kind of piece
/// and target square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Context(u16);

impl Context {
    /// No move.
    pub(super) const NONE: Context = Context(0);

    /// The number of contexts on a board.
    const fn count<G: Geometry>() -> usize {
        1 + 4 * G::BITS
    }

    /// The context of a move of `side`, by a king or a man.
    #[inline(always)]
    pub(super) fn new<G: Geometry>(side: Side, is_king: bool, mv: BitMove<G>) -> Self {
        let piece = 2 * side.index() + usize::from(is_king);
        Context((1 + piece * G::BITS + mv.to.index()) as u16)
    }
}

/// The recent success of quiet moves.
pub(super) struct History {
    /// By side, origin and target square.
    alone: Numbers,
    /// By one of the two contexts (the last move, the one before it) and the [`target`] of the
    /// move.
    after: [Numbers; 2],
    /// Counter moves as packed bits, by the last move.
    counters: Numbers,
}

/// Selects the history entries of a node.
#[derive(Clone, Copy)]
pub(super) struct HistoryPlace {
    /// The side to move.
    pub(super) side: Side,
    /// The last move and the one before it.
    pub(super) contexts: [Context; 2],
}

/// The number of entries per context: one for each target square and direction.
const fn targets<G: Geometry>() -> usize {
    2 * G::BITS
}

/// The entry of a move: moves to the same square from the left and from the right differ.
#[inline(always)]
fn target<G: Geometry>(mv: BitMove<G>) -> usize {
    2 * mv.to.index() + usize::from((mv.from.index() ^ mv.to.index()) & 1 == 0)
}

impl History {
    /// An empty history for a board.
    pub(super) fn new<G: Geometry>() -> Self {
        let contexts = Context::count::<G>();
        let after = || Numbers::new(contexts * targets::<G>());
        History {
            alone: Numbers::new(2 * G::BITS * G::BITS),
            after: [after(), after()],
            counters: Numbers::new(contexts),
        }
    }

    /// The history of a quiet move.
    #[inline(always)]
    pub(super) fn value<G: Geometry>(
        &self,
        place: HistoryPlace,
        mv: BitMove<G>,
        params: &Params,
    ) -> i32 {
        let after = |back: usize| i32::from(self.after[back].get(after_index(place, back, mv)));
        let alone = i32::from(self.alone.get(alone_index(place.side, mv)));
        alone + (after(0) + after(1)) * params.continuation_weight / 100
    }

    /// The counter move: the last refutation of the move before.
    #[inline(always)]
    pub(super) fn counter(&self, place: HistoryPlace) -> Option<PackedMove> {
        PackedMove::from_bits(self.counters.get(usize::from(place.contexts[0].0)) as u16)
    }

    /// Rewards the last of `tried`, which refuted a position searched to `depth`, and punishes
    /// those before it, which did not.
    #[inline]
    pub(super) fn reward<G: Geometry>(
        &self,
        place: HistoryPlace,
        tried: &[BitMove<G>],
        depth: i32,
        params: &Params,
    ) {
        let bonus = (params.history_bonus * depth * depth).min(params.history_most);
        let Some((&best, others)) = tried.split_last() else {
            return;
        };
        let bits = PackedMove::from(best).bits() as i16;
        self.counters.set(usize::from(place.contexts[0].0), bits);
        self.change(place, best, bonus);
        for &mv in others {
            self.change(place, mv, -bonus);
        }
    }

    #[inline]
    fn change<G: Geometry>(&self, place: HistoryPlace, mv: BitMove<G>, bonus: i32) {
        change(&self.alone, alone_index(place.side, mv), bonus);
        for back in 0..2 {
            change(&self.after[back], after_index(place, back, mv), bonus);
        }
    }
}

/// Moves a value towards the limit, the more slowly the nearer it is.
#[inline(always)]
fn change(values: &Numbers, index: usize, bonus: i32) {
    let now = i32::from(values.get(index));
    values.set(index, (now + bonus - now * bonus.abs() / HISTORY_LIMIT) as i16);
}

#[inline(always)]
fn alone_index<G: Geometry>(side: Side, mv: BitMove<G>) -> usize {
    (side.index() * G::BITS + mv.from.index()) * G::BITS + mv.to.index()
}

#[inline(always)]
fn after_index<G: Geometry>(place: HistoryPlace, back: usize, mv: BitMove<G>) -> usize {
    usize::from(place.contexts[back].0) * targets::<G>() + target(mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board12;

    #[test]
    fn values_rise_fall_and_stay_within_the_limit() {
        let params = Params { continuation_weight: 100, ..Params::default() };
        let square = |number| Board12::square(number).unwrap();
        let good = BitMove::<Board12>::quiet(square(72), square(66));
        let bad = BitMove::<Board12>::quiet(square(71), square(65));
        let place = HistoryPlace { side: Side::Black, contexts: Default::default() };
        let other = HistoryPlace { side: Side::White, ..place };
        let history = History::new::<Board12>();
        let limit = 3 * HISTORY_LIMIT;
        for depth in 1..200 {
            history.reward(place, &[bad, good], depth, &params);
            assert!((1..=limit).contains(&history.value(place, good, &params)));
            assert!((-limit..0).contains(&history.value(place, bad, &params)));
            assert_eq!(history.counter(place), Some(good.into()));
        }
        let far = HistoryPlace { contexts: [Context(7), Context(9)], ..other };
        assert_eq!(history.value(far, good, &params), 0);
    }
}
