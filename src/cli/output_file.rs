//! Checks of output files, made before the work whose results they will contain.

use std::fs::{self, File};
use std::path::Path;

use crate::storage;

use super::Error;

/// Checks that a file can be written or replaced.
///
/// # Errors
///
/// The file cannot be written.
pub fn check_writable(path: &Path) -> Result<(), Error> {
    Ok(storage::check_writable(path).map_err(storage::with_path(path))?)
}

/// Checks that a file can be appended to, or created if there is none. Devices and pipes are not
/// opened.
///
/// # Errors
///
/// The file cannot be written.
pub fn check_appendable(path: &Path) -> Result<(), Error> {
    if path.is_file() {
        File::options().append(true).open(path).map_err(storage::with_path(path))?;
    } else if path.is_dir() || !path.exists() {
        check_writable(path)?;
    }
    Ok(())
}

/// Checks that a new file can be written. An existing file may only be replaced if `force` is set;
/// devices and pipes are written into anyway.
///
/// # Errors
///
/// The file exists, or it cannot be written.
pub fn check_new(path: &Path, force: bool) -> Result<(), Error> {
    if !force && path.is_file() {
        return Err(Error::Input(format!(
            "{} already exists; choose another file, or overwrite it with --force",
            path.display()
        )));
    }
    check_writable(path)
}

/// Checks that an output file is not the input, under this or another name.
///
/// # Errors
///
/// They are the same file; the message says that `loss` would be lost.
pub fn check_distinct(output: &Path, input: &Path, loss: &str) -> Result<(), Error> {
    let real = |path| fs::canonicalize(path).ok();
    if real(output).is_none_or(|path| real(input) != Some(path)) {
        return Ok(());
    }
    Err(Error::Input(format!(
        "{} is also the input, of which {loss} would be lost; choose another file",
        output.display()
    )))
}
