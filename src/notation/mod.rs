//! Positions, moves and games as text: parsing and formatting.
//!
//! - [`fen`]: positions in the form of PDN files and most programs.
//! - [`hub`]: positions and moves of the Hub protocol; [`PositionLetters`]: also positions of DXP.
//! - [`squares`]: square names.
//! - [`pdn`]: whole games.
//!
//! Parsers accept any input: invalid text is an error that says what is wrong and where, never a
//! panic.

pub mod fen;
pub mod hub;
pub mod pdn;
pub mod squares;

mod parse;
mod position_letters;

pub use parse::{MoveError, TextError};
pub use position_letters::PositionLetters;
