//! Errors of bitbase files.

use std::io;
use std::path::Path;

use crate::storage::{self, FormatError};

/// A bitbase file that cannot be used, and why.
pub type FileError = storage::FileError<BitbaseProblem>;

/// What is wrong with a bitbase file.
#[derive(Debug, thiserror::Error)]
pub enum BitbaseProblem {
    /// It cannot be read or written, has another format or version, or is damaged.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Its game, ending or content is not the one its name says.
    #[error("about another game or ending than its name says")]
    OtherSlice,
    /// Its size is wrong.
    #[error("{is} bytes long, should be {should}")]
    Size {
        /// The actual size, in bytes.
        is: u64,
        /// The expected size, in bytes.
        should: u64,
    },
    /// Its checksum is wrong.
    #[error("corrupt: checksum {is:08x}, should be {should:08x}")]
    Checksum {
        /// The checksum of the contents.
        is: u32,
        /// The stored checksum.
        should: u32,
    },
}

impl BitbaseProblem {
    /// The problem, with the path of its file.
    pub(in crate::bitbase) fn of(self, path: &Path) -> FileError {
        FileError { path: path.to_owned(), problem: self }
    }
}

impl From<io::Error> for BitbaseProblem {
    fn from(error: io::Error) -> Self {
        BitbaseProblem::Format(error.into())
    }
}
