//! Errors in the text of a position or a move.

use thiserror::Error;

/// An error in the text of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("column {column}: {message}")]
pub struct TextError {
    /// The position of the error in characters, starting at 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl TextError {
    pub(super) fn new(column: usize, message: impl Into<String>) -> Self {
        TextError { column, message: message.into() }
    }
}

/// A move that cannot be parsed or is illegal.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}: {reason}", .text.escape_debug())]
pub struct MoveError {
    /// The move as written, truncated if it is long.
    pub text: String,
    /// Why it is not a legal move.
    pub reason: String,
}

impl MoveError {
    /// The longest text that an error quotes, in characters.
    const LONGEST: usize = 80;

    pub(super) fn new(text: &str, reason: impl Into<String>) -> Self {
        MoveError { text: text.chars().take(Self::LONGEST).collect(), reason: reason.into() }
    }
}
