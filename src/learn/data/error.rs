//! Errors of files of samples, and of work on them.

use std::io;
use std::path::Path;

use thiserror::Error;

use crate::storage::{FileError, FormatError};

/// A file or folder that cannot be used, and why.
pub type DataError = FileError<DataProblem>;

/// What is wrong with a file or folder.
#[derive(Error, Debug)]
pub enum DataProblem {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not a file of samples.
    #[error("no positions to learn from, as Manoury writes them")]
    NoData,
    /// The version of its format is unknown.
    #[error("version {is} of the format, which should be {should}")]
    Version {
        /// Its version.
        is: u32,
        /// The version that can be read.
        should: u32,
    },
    /// It belongs to another game.
    #[error("positions of another game: {0}")]
    OtherVariant(String),
    /// It was made with other settings than those to continue with.
    #[error("made by other settings")]
    OtherSettings,
    /// The network in it has other features than those to continue with.
    #[error("a network of other features: {0}")]
    OtherFeatures(String),
    /// The network in it was trained on other samples than those to continue with.
    #[error("learned from other positions")]
    OtherData,
    /// Its samples are of another origin than required.
    #[error("other positions than are wanted here")]
    OtherOrigin,
    /// A folder without the required files.
    #[error("nothing in it")]
    Empty,
    /// A folder that was expected to be empty.
    #[error("should be empty")]
    NotEmpty,
    /// The work was stopped.
    #[error("not completed")]
    Stopped,
    /// The trained weights exceed the range of the engine's integers.
    #[error("the numbers learned are too large")]
    TooLarge,
    /// Its description in the header is damaged.
    #[error("corrupt: what it says about itself cannot be read")]
    About,
    /// A block is damaged.
    #[error("corrupt: {fault} in block {number}")]
    Block {
        /// The number of the block, counted from 1.
        number: u64,
        /// What is wrong with it.
        fault: &'static str,
    },
}

impl DataProblem {
    /// The problem of the file or folder at `path`.
    pub(in crate::learn) fn of(self, path: &Path) -> DataError {
        DataError { path: path.to_owned(), problem: self }
    }
}

impl From<FormatError> for DataProblem {
    fn from(error: FormatError) -> Self {
        match error {
            FormatError::Io(error) => DataProblem::Io(error),
            FormatError::Foreign(_) => DataProblem::NoData,
            FormatError::Version { is, should } => DataProblem::Version { is, should },
            FormatError::Corrupt => DataProblem::About,
        }
    }
}
