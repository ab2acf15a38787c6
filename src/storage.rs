//! Files that are there as a whole or not at all, and those that cannot be used.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file beside its place and then puts it there, in place of any other. Unlike other temporary
/// files it is for everybody to read, as far as the user wants. Returns it, at its end.
///
/// # Errors
///
/// It cannot be written: whatever was there stays.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<File> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = BufWriter::new(builder.tempfile_in(folder.unwrap_or(Path::new(".")))?);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.persist(path).map_err(|error| error.error)
}

/// A file that cannot be used, and why.
#[derive(Debug)]
pub struct FileError<P> {
    /// Which file.
    pub path: PathBuf,
    /// What is wrong.
    pub problem: P,
}

impl<P: fmt::Display> fmt::Display for FileError<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl<P: fmt::Debug + fmt::Display> std::error::Error for FileError<P> {}
