//! The side to move as a type: with the side a constant, all shifts along the board are constants
//! too.

use crate::board::{Direction, Side};

/// A side to move.
pub(super) trait Turn: Copy {
    /// The side.
    const SIDE: Side;
    /// The two forward diagonals of its men.
    const FORWARD: [Direction; 2];
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
    const FORWARD: [Direction; 2] = [Direction::NorthWest, Direction::NorthEast];
    type Other = Black;
}

impl Turn for Black {
    const SIDE: Side = Side::Black;
    const FORWARD: [Direction; 2] = [Direction::SouthWest, Direction::SouthEast];
    type Other = White;
}
