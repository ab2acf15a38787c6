//! Reading data sets, one file at a time.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;

use crate::learn::data::{DataError, DataProblem, Origin, SampleReader, Set};
use crate::rules::Variant;
use crate::runtime::progress::Progress;

use super::check_stop;
use super::examples::Examples;

/// The files of a set in a folder, sorted by name.
///
/// # Errors
///
/// The folder or a file in it cannot be read, or it has no file of the set.
pub(super) fn files(
    variant: Variant,
    folder: &Path,
    wanted: Set,
) -> Result<Vec<PathBuf>, DataError> {
    let entries = fs::read_dir(folder).map_err(|error| DataProblem::Io(error).of(folder))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| DataProblem::Io(error).of(folder))?.path();
        if path.extension().is_none_or(|ending| ending != "samples") {
            continue;
        }
        match SampleReader::open(variant, &path)?.about().origin {
            Origin::Shuffled { set, .. } if set == wanted => files.push(path),
            Origin::Shuffled { .. } => {}
            Origin::SelfPlay { .. } | Origin::Relabelled { .. } => {
                return Err(DataProblem::OtherOrigin.of(&path));
            }
        }
    }
    files.sort();
    if files.is_empty() { Err(DataProblem::Empty.of(folder)) } else { Ok(files) }
}

/// The CRC-32 of all bytes of some files.
///
/// # Errors
///
/// A file cannot be read.
pub(super) fn checksum(files: &[PathBuf]) -> Result<u32, DataError> {
    let mut hasher = Hasher::new();
    for path in files {
        let mut read = || io::copy(&mut File::open(path)?, &mut HashWriter(&mut hasher));
        read().map_err(|error| DataProblem::Io(error).of(path))?;
    }
    Ok(hasher.finalize())
}

/// Hashes what is written to it.
struct HashWriter<'a>(&'a mut Hasher);

impl Write for HashWriter<'_> {
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
/// A file cannot be read or is damaged, or `progress` says to stop.
pub(super) fn examples(
    variant: Variant,
    files: &[PathBuf],
    share: f32,
    progress: &dyn Progress,
) -> Result<Examples, DataError> {
    let mut examples = Examples::new(variant.feature_shape());
    let mut samples = Vec::new();
    for file in files {
        check_stop(progress, file)?;
        let mut reader = SampleReader::open(variant, file)?;
        while reader.read(&mut samples)? {
            for sample in &samples {
                examples.add(variant, sample, share);
            }
        }
    }
    Ok(examples)
}
