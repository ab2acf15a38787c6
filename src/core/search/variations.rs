//! The principal variations of the nodes of the current line.

use crate::board::{BitMove, Geometry};

use super::params::MAX_PLY;

/// The best moves found from each ply of the line on.
pub(super) struct Variations<G: Geometry>(Vec<Vec<BitMove<G>>>);

impl<G: Geometry> Variations<G> {
    /// Empty variations.
    pub(super) fn new() -> Self {
        Variations(vec![Vec::new(); MAX_PLY + 2])
    }

    /// Clears the variation of a ply, for a new node.
    #[inline(always)]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the variation of a ply to a move followed by the variation of the next ply.
    #[inline]
    pub(super) fn extend(&mut self, ply: usize, mv: BitMove<G>) {
        let (before, after) = self.0.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(mv);
        before[ply].extend_from_slice(&after[0]);
    }

    /// Sets the variation of a ply.
    pub(super) fn set(&mut self, ply: usize, line: &[BitMove<G>]) {
        self.clear(ply);
        self.0[ply].extend_from_slice(line);
    }

    /// The principal variation from the root.
    pub(super) fn principal(&self) -> &[BitMove<G>] {
        &self.0[0]
    }
}
