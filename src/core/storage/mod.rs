//! Atomic file writes, the common file format, the files that belong to the program, and errors
//! about unusable files.

pub mod format;
mod program_file;

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::Builder;

pub use format::{Format, FormatError};
pub use program_file::IS_HOSTED;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use program_file::file_of_host;

/// Writes a file atomically: to a temporary file in the same folder, which then replaces any file
/// at `path`. Unlike other temporary files it has the permissions of an ordinary new file. Returns
/// the file, positioned at its end.
///
/// # Errors
///
/// The file cannot be written; any file at `path` is left unchanged.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<File> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let temporary = ordinary(&mut Builder::new()).tempfile_in(folder.unwrap_or(Path::new(".")));
    let mut file = BufWriter::new(temporary.map_err(without_name)?);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.persist(path).map_err(|error| error.error)
}

/// Writes the parts of a file and their CRC-32 atomically, as [`write_whole`] does.
///
/// # Errors
///
/// See [`write_whole`].
pub fn write_sealed(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let write = |file: &mut dyn Write| {
        let mut check = crc32fast::Hasher::new();
        for part in parts {
            check.update(part);
            file.write_all(part)?;
        }
        file.write_all(&check.finalize().to_le_bytes())
    };
    write_whole(path, write).map(drop)
}

/// Gives files the permissions of ordinary new ones.
fn ordinary<'a, 'b>(builder: &'a mut Builder<'b, 'b>) -> &'a mut Builder<'b, 'b> {
    #[cfg(unix)]
    return builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    builder
}

/// Adds the path of the file that an error is about.
pub fn named(path: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The error without the name of the temporary file, which says nothing to people.
fn without_name(error: io::Error) -> io::Error {
    match error.get_ref() {
        Some(_) => error.kind().into(),
        None => error,
    }
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
