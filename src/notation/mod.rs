//! Positions, moves and games as text: parsing and formatting.
//!
//! - [`fen`]: positions in FEN, as in PDN files and most programs.
//! - [`hub`]: positions and moves of the Hub protocol.
//! - [`PositionLetters`]: positions of the Hub and DXP protocols.
//! - [`squares`]: square names.
//! - [`pdn`]: whole games.
//!
//! Parsers never panic: invalid text results in an error that describes the problem and its
//! location.

pub mod fen;
pub mod hub;
pub mod pdn;
pub mod squares;

mod parse;
mod position_letters;

pub use parse::{MoveError, TextError};
pub use position_letters::PositionLetters;
