//! The side to move as a type: with the side a constant, all shifts along the board are constants
//! too.

use crate::board::Side;

/// A side to move.
pub(super) trait Turn: Copy {
    /// The side.
    const SIDE: Side;
    /// The other side.
    type Other: Turn;
}

/// White to move.
#[derive(Clone, Copy)]
pub(super) struct White;

/// Black to move.
#[derive(Clone, Copy)]
pub(super) struct Black;

impl Turn for White {
    const SIDE: Side = Side::White;
    type Other = Black;
}

impl Turn for Black {
    const SIDE: Side = Side::Black;
    type Other = White;
}
