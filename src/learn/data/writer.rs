//! Writing files.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::board::Geometry;
use crate::rules::Rules;
use crate::storage::write_whole;

use super::about::About;
use super::error::{DataError, Problem};
use super::reader::Reader;
use super::sample::Sample;
use super::{MAGIC, VERSION};

/// A file that blocks are appended to.
pub struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// A new file. It is there with its header or not at all.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn create(path: &Path, about: &About) -> Result<Self, DataError> {
        match write_whole(path, |file| file.write_all(&header(about)?)) {
            Ok(file) => Ok(Writer { path: path.to_owned(), file }),
            Err(error) => Err(Problem::Io(error).of(path)),
        }
    }

    /// A file to go on with, as it was created, and how many blocks it has. One that breaks off is
    /// dropped.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, is damaged, or is about something else.
    pub fn resume<R: Rules>(path: &Path, about: &About) -> Result<(Self, u64), DataError> {
        let mut reader = Reader::<R>::open(path)?;
        if reader.about() != about {
            return Err(Problem::OtherSettings.of(path));
        }
        let (mut samples, mut blocks) = (Vec::new(), 0);
        while reader.read(&mut samples)? {
            blocks += 1;
        }
        let cut = || {
            let mut file = OpenOptions::new().write(true).open(path)?;
            file.set_len(reader.end())?;
            file.seek(SeekFrom::End(0))?;
            Ok((Writer { path: path.to_owned(), file }, blocks))
        };
        cut().map_err(|problem: Problem| problem.of(path))
    }

    /// Appends a block, of at most 65,536 samples.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn append<G: Geometry>(&mut self, samples: &[Sample<G>]) -> Result<(), DataError> {
        let mut block = Vec::with_capacity(samples.len() * Sample::<G>::BYTES + 8);
        block.extend_from_slice(&(samples.len() as u32).to_le_bytes());
        for sample in samples {
            sample.write(&mut block);
        }
        let check = crc32fast::hash(&block);
        block.extend_from_slice(&check.to_le_bytes());
        self.file.write_all(&block).map_err(|error| Problem::Io(error).of(&self.path))
    }
}

/// What comes before the blocks.
fn header(about: &About) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(about)?;
    let mut header = MAGIC.to_vec();
    header.extend_from_slice(&VERSION.to_le_bytes());
    header.extend_from_slice(&(text.len() as u32).to_le_bytes());
    header.extend_from_slice(&text);
    header.extend_from_slice(&crc32fast::hash(&text).to_le_bytes());
    Ok(header)
}
