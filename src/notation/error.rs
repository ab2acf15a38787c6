//! What is wrong with a text.

use std::fmt;

/// What is wrong with the text of a position, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The character where it is, 1 for the first.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl TextError {
    pub(super) fn new(column: usize, message: impl Into<String>) -> Self {
        TextError { column, message: message.into() }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for TextError {}

/// A move that cannot be read or is not legal, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveError {
    /// The move as it was written; cut off if it is long.
    pub text: String,
    /// Why it is no legal move.
    pub reason: String,
}

impl MoveError {
    /// The longest text an error repeats.
    const LONGEST: usize = 80;

    pub(super) fn new(text: &str, reason: impl Into<String>) -> Self {
        MoveError { text: text.chars().take(Self::LONGEST).collect(), reason: reason.into() }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.text.escape_debug(), self.reason)
    }
}

impl std::error::Error for MoveError {}
