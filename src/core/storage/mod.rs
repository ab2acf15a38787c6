//! Atomic file writes, the common file format, the files that belong to the program, and errors
//! about unusable files.

pub mod format;
mod program_file;
mod whole_file;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub use format::{Format, FormatError};
pub use program_file::IS_HOSTED;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use program_file::file_of_host;
pub use whole_file::{write_atomically, write_with_checksum};

/// Adds the path of the file that an error is about.
pub fn with_path(path: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// A file that cannot be used, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError<P: fmt::Debug + fmt::Display> {
    /// The path of the file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: P,
}
