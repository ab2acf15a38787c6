//! Why there are no openings.

use std::io;
use std::path::PathBuf;
use std::{error, fmt};

/// Why openings cannot be had.
#[derive(Debug)]
pub enum OpeningError {
    /// The input is faulty: what, where, and what would be right.
    Input(String),
    /// A file cannot be read.
    File(PathBuf, io::Error),
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningError::Input(message) => f.write_str(message),
            OpeningError::File(path, error) => {
                write!(f, "{}: {error}", path.display())?;
                if error.kind() == io::ErrorKind::NotFound {
                    f.write_str("; openings are start, 2-ply, 3-ply, 4-ply, ballots or a file")?;
                }
                Ok(())
            }
        }
    }
}

impl error::Error for OpeningError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            OpeningError::Input(_) => None,
            OpeningError::File(_, error) => Some(error),
        }
    }
}
