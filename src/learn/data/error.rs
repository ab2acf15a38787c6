//! Errors in reading, writing and processing sample files.

use std::io;
use std::path::Path;

use thiserror::Error;

use crate::storage::{FileError, FormatError};

/// A file or folder that cannot be used, and the problem with it.
pub type DataError = FileError<DataProblem>;

/// The problem with a file or folder.
#[derive(Error, Debug)]
pub enum DataProblem {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not a sample file.
    #[error("not a Manoury game, data-set or checkpoint file")]
    NotSamples,
    /// The version of its format is unknown.
    #[error("format version {is}, expected {should}")]
    Version {
        /// Its version.
        is: u32,
        /// The version that this program reads.
        should: u32,
    },
    /// Another process is writing it.
    #[error("another process is writing this file")]
    InUse,
    /// It belongs to another variant.
    #[error("positions of another variant: {0}")]
    OtherVariant(String),
    /// It was made with different settings, so the work cannot be continued.
    #[error(
        "made with different settings; repeat the options of the first run, or choose another --out"
    )]
    OtherSettings,
    /// Its network's features differ from those of this program.
    #[error("a network with different features: {0}")]
    OtherFeatures(String),
    /// Its network was trained on a different data set.
    #[error("belongs to a training on other data sets; delete it, or choose another --out")]
    OtherData,
    /// It should contain games.
    #[error("contains a data set, not games")]
    NotGames,
    /// It should contain a data set.
    #[error("contains games, not a data set")]
    NotDataSet,
    /// It is a folder without games.
    #[error(
        "contains no game files; expected a folder made by `manoury selfplay` or `manoury data \
         relabel`"
    )]
    NoGames,
    /// It is a folder without data sets.
    #[error("contains no data sets; expected a folder made by `manoury data --out`")]
    NoDataSets,
    /// It is a folder that should be empty but is not.
    #[error("not empty; --out needs a new or empty folder")]
    NotEmpty,
    /// The work was stopped.
    #[error("interrupted")]
    Stopped,
    /// The trained weights exceed the range of the engine's integers.
    #[error("the trained weights are too large")]
    TooLarge,
    /// The description in its header is damaged.
    #[error("corrupt header")]
    Header,
    /// A block is damaged.
    #[error("corrupt: {fault} in block {number}")]
    Block {
        /// The number of the block, counted from 1.
        number: u64,
        /// A description of the damage.
        fault: &'static str,
    },
}

impl DataProblem {
    /// Converts the problem to an error about the file or folder at `path`.
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
