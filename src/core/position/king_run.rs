//! The counter of the three-king-moves rule of Frisian draughts.

use crate::board::BitMove;
use crate::rules::Rules;

use super::BitPosition;

/// The number of consecutive moves by a side with the same king and without a capture; none by
/// default. The square is a number, or on bitboards a [`Square`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct KingRun<S = u8> {
    square: S,
    count: u8,
}

impl<S: Copy + Default> KingRun<S> {
    /// A run of `count` moves by the king now on `square`.
    pub fn new(square: S, count: u8) -> Self {
        if count == 0 { KingRun::default() } else { KingRun { square, count } }
    }

    /// The square of the king; `None` if no moves are counted.
    pub fn square(self) -> Option<S> {
        (self.count > 0).then_some(self.square)
    }

    /// The number of consecutive moves.
    pub fn count(self) -> u8 {
        self.count
    }

    /// The run with its count capped at `limit`.
    pub(super) fn at_most(self, limit: u8) -> Self {
        KingRun { count: self.count.min(limit), ..self }
    }
}

impl<R: Rules> BitPosition<R> {
    /// Updates the counters for a move of the side that has just moved, on the position after it.
    ///
    /// A run ends with a capture or a move of another piece, when the king is captured, and when
    /// the side has no man left.
    pub(super) fn update_king_runs(&mut self, mv: BitMove<R::Geometry>, was_king: bool) {
        let (us, them) = (self.side().opponent(), self.side());
        let old = self.king_runs;
        self.king_runs = [KingRun::default(); 2];

        let theirs = old[them.index()];
        let stays = theirs.square().is_some_and(|square| self.kings(them).has(square));
        if stays && self.men(them).is_some() {
            self.king_runs[them.index()] = theirs;
        }
        if was_king && !mv.is_capture() && self.men(us).is_some() {
            let ours = old[us.index()];
            let before = if ours.square() == Some(mv.from) { ours.count } else { 0 };
            self.king_runs[us.index()] = KingRun::new(mv.to, before + 1);
        }
        self.key = self.key.with_king_runs(old, self.king_runs);
    }
}
