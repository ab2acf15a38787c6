//! Checks of output files, made before the work whose results they will contain.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

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
    if !is_same(output, input) {
        return Ok(());
    }
    Err(Error::Input(format!(
        "{} is also the input, of which {loss} would be lost; choose another file",
        output.display()
    )))
}

/// Checks that no file is the output of two options, one of which would be lost. Devices and pipes
/// take both.
///
/// # Errors
///
/// Two of the paths lead to the same file.
pub fn check_one_each(outputs: &[&Path]) -> Result<(), Error> {
    let is_device = |path: &Path| path.exists() && !path.is_file();
    for (number, path) in outputs.iter().enumerate() {
        if outputs[..number].iter().any(|other| is_same(path, other)) && !is_device(path) {
            return Err(Error::Input(format!(
                "{} is named for two outputs, of which one would be lost; choose another file",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Whether two paths lead to the same file or folder, which may not exist yet.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let one = real(one);
    one.is_some() && one == real(other)
}

/// The absolute path to which a path leads; `None` if there is no such folder.
fn real(path: &Path) -> Option<PathBuf> {
    let in_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(in_folder)
}
