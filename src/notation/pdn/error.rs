//! Errors in a PDN file.

use std::fmt;

use thiserror::Error;

use super::GameRecord;

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextPlace {
    /// The line, starting at 1.
    pub line: usize,
    /// The character within the line, starting at 1.
    pub column: usize,
}

impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// An error in a game of a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{place}: {message}")]
pub struct PdnError {
    /// Where it is.
    pub place: TextPlace,
    /// What is wrong.
    pub message: String,
}

impl PdnError {
    pub(super) fn new(place: TextPlace, message: impl Into<String>) -> Self {
        PdnError { place, message: message.into() }
    }
}

/// A game that cannot be read to its end.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{error}")]
pub struct Broken {
    /// What is wrong.
    pub error: PdnError,
    /// The game before the error, `None` if even its start position is unknown.
    pub before: Option<Box<GameRecord>>,
}

impl From<Broken> for PdnError {
    fn from(broken: Broken) -> Self {
        broken.error
    }
}
