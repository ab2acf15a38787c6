//! Errors of openings.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why the openings cannot be provided.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The input is invalid: what is wrong, where, and what would be right.
    #[error("{0}")]
    Input(String),
    /// A file cannot be read.
    #[error("{}: {}{}", .0.display(), .1, hint(.1))]
    File(PathBuf, #[source] io::Error),
}

/// Advice about a file that does not exist: the text may have been meant as the name of a source.
fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => {
            "; openings are start, 2-ply, 3-ply, 4-ply, ballots, edge or a file"
        }
        _ => "",
    }
}
