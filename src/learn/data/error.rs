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
    #[error("not a Manoury file of training positions")]
    NotSamples,
    /// The version of its format is unknown.
    #[error("format version {is}, expected {should}")]
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
    #[error("made with other settings")]
    OtherSettings,
    /// The network in it has other features than those to continue with.
    #[error("a network with other features: {0}")]
    OtherFeatures(String),
    /// The network in it was trained on other samples than those to continue with.
    #[error("trained on other positions")]
    OtherData,
    /// Its samples are of another origin than required.
    #[error("positions of the wrong origin")]
    OtherOrigin,
    /// A folder without the required files.
    #[error("no training files in it")]
    Empty,
    /// A folder that was expected to be empty.
    #[error("not empty")]
    NotEmpty,
    /// The work was stopped.
    #[error("interrupted")]
    Stopped,
    /// The trained weights exceed the range of the engine's integers.
    #[error("the trained weights are too large")]
    TooLarge,
    /// Its description in the header is damaged.
    #[error("corrupt header")]
    Header,
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
            FormatError::WrongFormat(_) => DataProblem::NotSamples,
            FormatError::Version { is, should } => DataProblem::Version { is, should },
            FormatError::Corrupt => DataProblem::Header,
        }
    }
}
