//! Positions, moves and games as text: parsing and formatting, nothing else.
//!
//! - [`fen`]: positions as PDN files and most programs write them.
//! - [`hub`], [`dxp`]: positions and moves of the two engine protocols.
//! - [`squares`]: the names of squares.
//! - [`pdn`]: whole games.
//!
//! What comes in may be anything: a fault is an error that says what and where, never a panic.

pub mod dxp;
pub mod fen;
pub mod hub;
pub mod pdn;
pub mod squares;

mod cursor;
mod error;
mod illegal;
mod letters;

pub use error::{MoveError, TextError};
