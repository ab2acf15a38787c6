//! What a search remembers of each ply of the line it is in.

use crate::board::{Geometry, Move, PackedMove};
use crate::score::Score;

use super::history::Context;
use super::params::MAX_PLY;

/// One ply of the line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// The static evaluation; `None` where there is a capture to make.
    pub(super) eval: Option<Score>,
    /// The last quiet moves that refuted a position at this ply, the newest first.
    pub(super) killer_moves: [Option<PackedMove>; 2],
    /// The move that leads on.
    pub(super) played: Context,
}

/// Every ply of the line, from the root on.
pub(super) struct Stack(Vec<Frame>);

impl Stack {
    /// Of a search that begins.
    pub(super) fn new() -> Self {
        Stack(vec![Frame::default(); MAX_PLY + 2])
    }

    /// The record of a ply.
    #[inline(always)]
    pub(super) fn get(&self, ply: usize) -> &Frame {
        &self.0[ply]
    }

    /// The record of a ply, to change.
    #[inline(always)]
    pub(super) fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply]
    }

    /// The last move before a ply and the last but one.
    #[inline(always)]
    pub(super) fn contexts(&self, ply: usize) -> [Context; 2] {
        [1, 2].map(|back| match ply.checked_sub(back) {
            Some(ply) => self.0[ply].played,
            None => Context::NONE,
        })
    }

    /// Whether the evaluation has risen since the same side was last to move at ease.
    #[inline(always)]
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let before = ply.checked_sub(2).and_then(|ply| self.0[ply].eval);
        match (self.0[ply].eval, before) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        }
    }

    /// A quiet move has refuted a position at a ply.
    #[inline(always)]
    pub(super) fn refute<G: Geometry>(&mut self, ply: usize, mv: Move<G>) {
        let killer_moves = &mut self.0[ply].killer_moves;
        let packed = Some(mv.into());
        if killer_moves[0] != packed {
            *killer_moves = [packed, killer_moves[0]];
        }
    }
}
