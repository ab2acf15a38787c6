//! The vocabulary of the board: squares, sets of squares, sides, pieces, moves. It knows no rules.

mod bitboard;
mod bits;
mod direction;
mod geometry;
mod moves;
mod packed;
mod piece;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use bits::Bits;
pub use direction::Direction;
pub use geometry::{Board8, Board8Mirrored, Board10, Board12, Geometry, Layout};
pub use moves::{Move, MoveList};
pub use packed::PackedMove;
pub use piece::{Kind, Piece, Side};
pub use square::Square;
