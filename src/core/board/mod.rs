//! The basic types of the board, independent of any rules: squares, sets of squares, sides, pieces,
//! moves.
//!
//! Boards, sets and moves come in two forms. Below [`erased`](crate::erased) a board is a type
//! ([`Geometry`]) with [`Bitboard`], [`Square`] and [`BitMove`]. Above it a board is a value
//! ([`Grid`]): a square is its number in notation, and [`SquareSet`] and [`Move`] fit any board.

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
