//! What can be wrong with a file.

use std::fmt;
use std::io;
use std::path::Path;

use crate::storage::FileError;

use super::VERSION;

/// A file that cannot be used, and why.
pub type DataError = FileError<Problem>;

/// What is wrong with a file.
#[derive(Debug)]
pub enum Problem {
    /// It cannot be read or written.
    Io(io::Error),
    /// It holds no positions of Manoury's.
    NoData,
    /// It is of another version of the format.
    Version(u32),
    /// It is about another game.
    OtherVariant(String),
    /// It was made by other settings than those to go on with.
    OtherSettings,
    /// It was learned from other positions than those to go on with.
    OtherData,
    /// It is of another kind than the files wanted.
    OtherOrigin,
    /// It has nothing in it.
    Empty,
    /// It should have nothing in it.
    NotEmpty,
    /// The work was to stop.
    Stopped,
    /// The numbers learned are too large for a network.
    TooLarge,
    /// What it says about itself cannot be read.
    About,
    /// A block is damaged.
    Block {
        /// Its number, counted from 1.
        number: u64,
        /// What about it.
        fault: &'static str,
    },
}

impl Problem {
    /// The problem of a file.
    pub(in crate::learn) fn of(self, path: &Path) -> DataError {
        DataError { path: path.to_owned(), problem: self }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Problem::Io(error)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Io(error) => error.fmt(f),
            Problem::NoData => f.write_str("no positions to learn from, as Manoury writes them"),
            Problem::Version(version) => {
                write!(f, "version {version} of the format, which should be {VERSION}")
            }
            Problem::OtherVariant(variant) => write!(f, "positions of another game: {variant}"),
            Problem::OtherSettings => f.write_str("made by other settings"),
            Problem::OtherData => f.write_str("learned from other positions"),
            Problem::OtherOrigin => f.write_str("other positions than are wanted here"),
            Problem::Empty => f.write_str("nothing in it"),
            Problem::NotEmpty => f.write_str("should be empty"),
            Problem::Stopped => f.write_str("not completed"),
            Problem::TooLarge => f.write_str("the numbers learned are too large"),
            Problem::About => f.write_str("corrupt: what it says about itself cannot be read"),
            Problem::Block { number, fault } => write!(f, "corrupt: {fault} in block {number}"),
        }
    }
}
