//! The principal variations of the nodes on the line that is searched.

use crate::board::{Geometry, Move};

use super::params::MAX_PLY;

/// For each ply of the line the best moves found from there on.
pub(super) struct Variations<G: Geometry>(Vec<Vec<Move<G>>>);

impl<G: Geometry> Variations<G> {
    /// Nothing has been found yet.
    pub(super) fn new() -> Self {
        Variations(vec![Vec::new(); MAX_PLY + 2])
    }

    /// Forgets what was found at a ply, for another node.
    #[inline(always)]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The best from a ply on is a move, then the best from the next ply on.
    #[inline]
    pub(super) fn extend(&mut self, ply: usize, mv: Move<G>) {
        let (before, after) = self.0.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(mv);
        before[ply].extend_from_slice(&after[0]);
    }

    /// The best moves from the root on.
    pub(super) fn principal(&self) -> &[Move<G>] {
        &self.0[0]
    }
}
