//! The basic types of the board, independent of any rules: squares, sets of squares, sides, pieces,
//! moves.
//!
//! Boards, sets and moves come in two forms. Below [`erased`](crate::erased) a board is a type
//! ([`Geometry`]) with [`Bitboard`], [`Square`] and [`BitMove`]. Above it a board is a value
//! ([`Grid`]): a square is its number in notation, and [`SquareSet`] and [`Move`] fit any board.

mod any_move;
mod bitboard;
mod bits;
mod direction;
mod geometry;
mod grid;
mod moves;
mod packed;
mod piece;
mod square;
mod square_set;

pub use any_move::Move;
pub use bitboard::{Bitboard, Squares};
pub use bits::Bits;
pub use direction::Direction;
pub use geometry::{Board8, Board8Full, Board8Mirrored, Board10, Board12, Geometry, Layout};
pub use grid::Grid;
pub use moves::{BitMove, MoveList};
pub use packed::PackedMove;
pub use piece::{Kind, Piece, Side};
pub use square::Square;
pub use square_set::SquareSet;
