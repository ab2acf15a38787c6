//! The basic types of the board, independent of any rules: squares, sets of squares, sides, pieces,
//! moves.
//!
//! Boards, sets and moves exist in two forms. In the modules below [`erased`](crate::erased), a
//! board is a type ([`Geometry`]), used by [`Bitboard`], [`Square`] and [`BitMove`]. In the modules
//! above it, a board is a value ([`Grid`]), a square is identified by its number in notation, and
//! [`SquareSet`] and [`Move`] work for any board.

mod bitboard;
mod geometry;
mod grid;
mod moves;
mod piece;
mod square;

pub use bitboard::{Bitboard, Bits, Squares};
pub use geometry::{
    Board8, Board8Full, Board8Mirrored, Board10, Board12, Direction, Geometry, Layout,
};
pub use grid::Grid;
pub use moves::{BitMove, Move, MoveList, PackedMove};
pub use piece::{Kind, Piece, Side};
pub use square::{Square, SquareSet};
