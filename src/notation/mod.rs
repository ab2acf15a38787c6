//! Positions, moves and games as text: parsing and formatting, nothing else.
//!
//! - [`fen`]: positions in the form of PDN files and most programs.
//! - [`hub`], [`dxp`]: positions and moves of the two engine protocols.
//! - [`squares`]: square names.
//! - [`pdn`]: whole games.
//!
//! Parsers accept any input: invalid text is an error that says what is wrong and where, never a
//! panic.

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
