//! Reading sets of positions, a file at a time.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;

use crate::learn::data::{DataError, Origin, Problem, Reader, Set};
use crate::rules::Rules;

use super::examples::Examples;
use super::{Watch, go_on};

/// The files of a set in a folder, in the order of their names.
///
/// # Errors
///
/// The folder cannot be read, or a file in it; there is no file of the set.
pub(super) fn files<R: Rules>(folder: &Path, wanted: Set) -> Result<Vec<PathBuf>, DataError> {
    let entries = fs::read_dir(folder).map_err(|error| Problem::Io(error).of(folder))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| Problem::Io(error).of(folder))?.path();
        if path.extension().is_none_or(|ending| ending != "samples") {
            continue;
        }
        match Reader::<R>::open(&path)?.about().origin {
            Origin::Shuffled { set, .. } if set == wanted => files.push(path),
            Origin::Shuffled { .. } => {}
            Origin::SelfPlay { .. } => return Err(Problem::OtherOrigin.of(&path)),
        }
    }
    files.sort();
    if files.is_empty() { Err(Problem::Empty.of(folder)) } else { Ok(files) }
}

/// The CRC-32 of all bytes of some files.
///
/// # Errors
///
/// A file cannot be read.
pub(super) fn checksum(files: &[PathBuf]) -> Result<u32, DataError> {
    let mut hasher = Hasher::new();
    for path in files {
        let mut read = || io::copy(&mut File::open(path)?, &mut Sum(&mut hasher));
        read().map_err(|error| Problem::Io(error).of(path))?;
    }
    Ok(hasher.finalize())
}

/// Takes what is written into the sum.
struct Sum<'a>(&'a mut Hasher);

impl Write for Sum<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The examples of some files.
///
/// # Errors
///
/// A file cannot be read or is damaged, or the work is to stop.
pub(super) fn examples<R: Rules>(
    files: &[PathBuf],
    share: f32,
    watch: &impl Watch,
) -> Result<Examples, DataError> {
    let mut examples = Examples::new::<R::Geometry>();
    let mut samples = Vec::new();
    for file in files {
        go_on(watch, file)?;
        let mut reader = Reader::<R>::open(file)?;
        while reader.read(&mut samples)? {
            for sample in &samples {
                examples.add::<R>(sample, share);
            }
        }
    }
    Ok(examples)
}
