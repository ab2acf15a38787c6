//! The counter of the three-king-moves rule of Frisian draughts.

use crate::board::{Move, Square};
use crate::rules::Rules;

use super::Position;

/// How often in a row a side has moved the same king without capturing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KingRun {
    square: Square,
    count: u8,
}

impl KingRun {
    /// No king has moved.
    pub const NONE: KingRun = KingRun { square: Square::new(0), count: 0 };

    /// The king on `square` has moved `count` times in a row.
    pub fn new(square: Square, count: u8) -> Self {
        if count == 0 { KingRun::NONE } else { KingRun { square, count } }
    }

    /// Where the king stands, `None` if no king has moved.
    pub fn square(self) -> Option<Square> {
        (self.count > 0).then_some(self.square)
    }

    /// How often it has moved in a row.
    pub fn count(self) -> u8 {
        self.count
    }

    /// The run, counted no further than the limit.
    pub(super) fn at_most(self, limit: u8) -> Self {
        KingRun { count: self.count.min(limit), ..self }
    }
}

impl<R: Rules> Position<R> {
    /// Counts a move of the side that has just moved, on the position after it.
    ///
    /// A run ends with a capture or another piece's move, when the king is captured, and when the
    /// side has no man left.
    pub(super) fn update_king_runs(&mut self, mv: Move<R::Geometry>, was_king: bool) {
        let (us, them) = (self.side().opponent(), self.side());
        let old = self.king_runs;
        self.king_runs = [KingRun::NONE; 2];

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
