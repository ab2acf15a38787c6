//! Writing files of samples.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::board::Grid;
use crate::rules::Variant;
use crate::storage::write_atomically;

use super::about::{Origin, SamplesAbout};
use super::error::{DataError, DataProblem};
use super::format::{block, header};
use super::reader::SampleReader;
use super::sample::Sample;

/// Appends blocks to a file of samples.
pub struct SampleWriter {
    path: PathBuf,
    file: File,
    grid: Grid,
}

impl SampleWriter {
    /// Creates a file. If that fails, there is no file; it is never left without its header.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn create(variant: Variant, path: &Path, origin: Origin) -> Result<Self, DataError> {
        let about = SamplesAbout::new(variant, origin);
        match write_atomically(path, |file| file.write_all(&header(&about)?)) {
            Ok(file) => Ok(SampleWriter { path: path.to_owned(), file, grid: variant.grid() }),
            Err(error) => Err(DataProblem::Io(error).of(path)),
        }
    }

    /// Opens a file to append to, as it was created, and counts its blocks. An incomplete block at
    /// its end is removed.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, is damaged, or has another header.
    pub fn resume(variant: Variant, path: &Path, origin: Origin) -> Result<(Self, u64), DataError> {
        let mut reader = SampleReader::open(variant, path)?;
        if *reader.about() != SamplesAbout::new(variant, origin) {
            return Err(DataProblem::OtherSettings.of(path));
        }
        let (mut samples, mut blocks) = (Vec::new(), 0);
        while reader.read(&mut samples)? {
            blocks += 1;
        }
        let cut = || {
            let mut file = OpenOptions::new().write(true).open(path)?;
            file.set_len(reader.end())?;
            file.seek(SeekFrom::End(0))?;
            Ok((SampleWriter { path: path.to_owned(), file, grid: variant.grid() }, blocks))
        };
        cut().map_err(|problem: DataProblem| problem.of(path))
    }

    /// Appends a block of at most 65,536 samples.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn append(&mut self, samples: &[Sample]) -> Result<(), DataError> {
        let written = self.file.write_all(&block(self.grid, samples));
        written.map_err(|error| DataProblem::Io(error).of(&self.path))
    }
}
