//! What is wrong with a file.

use std::fmt;

use super::GameRecord;
use crate::rules::Rules;

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line, 1 for the first.
    pub line: usize,
    /// The character in the line, 1 for the first.
    pub column: usize,
}

/// What is wrong with a game in a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnError {
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub message: String,
}

impl PdnError {
    pub(super) fn new(place: Place, message: impl Into<String>) -> Self {
        PdnError { place, message: message.into() }
    }
}

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column } = self.place;
        write!(f, "line {line}, column {column}: {}", self.message)
    }
}

impl std::error::Error for PdnError {}

/// A game that cannot be read to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken<R: Rules> {
    /// What is wrong.
    pub error: PdnError,
    /// The game before the error, `None` if not even its first position is known.
    pub before: Option<Box<GameRecord<R>>>,
}

impl<R: Rules> fmt::Display for Broken<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<R: Rules> std::error::Error for Broken<R> {}

impl<R: Rules> From<Broken<R>> for PdnError {
    fn from(broken: Broken<R>) -> Self {
        broken.error
    }
}
