//! What can be wrong with a file.

use std::fmt;
use std::io;
use std::path::Path;

use crate::storage;

/// A file that cannot be used, and why.
pub type FileError = storage::FileError<Problem>;

/// What is wrong with a file.
#[derive(Debug)]
pub enum Problem {
    /// It cannot be read or written.
    Io(io::Error),
    /// It is no bitbase of Manoury's.
    NoBitbase,
    /// It is of another version of the format.
    Version(u32),
    /// It is about another game or ending, or tells something else, than its name says.
    OtherSlice,
    /// It is shorter or longer than it should be.
    Size {
        /// How many bytes it has.
        is: u64,
        /// How many it should have.
        should: u64,
    },
    /// What is in it does not fit together.
    Corrupt,
    /// Its checksum is wrong.
    Checksum {
        /// The sum of what is in it.
        is: u32,
        /// The sum that it was written with.
        should: u32,
    },
}

impl Problem {
    /// The problem of a file.
    pub(in crate::bitbase) fn of(self, path: &Path) -> FileError {
        FileError { path: path.to_owned(), problem: self }
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
            Problem::NoBitbase => f.write_str("not a bitbase of Manoury"),
            Problem::Version(version) => write!(f, "unknown version {version} of the format"),
            Problem::OtherSlice => f.write_str("about another game or ending than its name says"),
            Problem::Size { is, should } => write!(f, "{is} bytes long, should be {should}"),
            Problem::Corrupt => f.write_str("corrupt"),
            Problem::Checksum { is, should } => {
                write!(f, "corrupt: checksum {is:08x}, should be {should:08x}")
            }
        }
    }
}
