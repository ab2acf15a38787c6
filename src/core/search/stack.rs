//! The search stack: the state of each ply of the current line.

use crate::board::{BitMove, Geometry, PackedMove};
use crate::score::Score;

use super::history::Context;
use super::params::MAX_PLY;

/// The state of one ply.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// The corrected static evaluation; `None` if there is a capture.
    pub(super) eval: Option<Score>,
    /// The last two quiet moves that refuted a position at this ply, newest first.
    pub(super) killer_moves: [Option<PackedMove>; 2],
    /// The move played here.
    pub(super) played: Context,
}

/// All plies of the line, from the root.
pub(super) struct Stack(Vec<Frame>);

impl Stack {
    /// An empty stack.
    pub(super) fn new() -> Self {
        Stack(vec![Frame::default(); MAX_PLY + 2])
    }

    /// The frame of a ply.
    #[inline(always)]
    pub(super) fn get(&self, ply: usize) -> &Frame {
        &self.0[ply]
    }

    /// The frame of a ply, mutable.
    #[inline(always)]
    pub(super) fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply]
    }

    /// The last move before a ply and the one before that.
    #[inline(always)]
    pub(super) fn contexts(&self, ply: usize) -> [Context; 2] {
        [1, 2].map(|back| match ply.checked_sub(back) {
            Some(ply) => self.0[ply].played,
            None => Context::NONE,
        })
    }

    /// Whether the static evaluation has risen since two plies earlier; `true` if either is
    /// missing.
    #[inline(always)]
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let before = ply.checked_sub(2).and_then(|ply| self.0[ply].eval);
        match (self.0[ply].eval, before) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        }
    }

    /// Records a quiet move that refuted a position at a ply as a killer move.
    #[inline(always)]
    pub(super) fn refute<G: Geometry>(&mut self, ply: usize, mv: BitMove<G>) {
        let killer_moves = &mut self.0[ply].killer_moves;
        let packed = Some(mv.into());
        if killer_moves[0] != packed {
            *killer_moves = [packed, killer_moves[0]];
        }
    }
}
