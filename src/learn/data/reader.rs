//! Reading files of samples.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use crate::board::Grid;
use crate::rules::Variant;

use super::about::SamplesAbout;
use super::error::{DataError, DataProblem};
use super::format::{read_block, read_header};
use super::sample::Sample;

/// Reads a file of samples, block by block.
pub struct SampleReader {
    path: PathBuf,
    file: BufReader<File>,
    about: SamplesAbout,
    grid: Grid,
    /// Blocks read so far.
    blocks: u64,
    /// Where the last complete block ends.
    end: u64,
}

impl SampleReader {
    /// Opens a file of samples of a game.
    ///
    /// # Errors
    ///
    /// The file cannot be read, its header is damaged, or it belongs to another game.
    pub fn open(variant: Variant, path: &Path) -> Result<Self, DataError> {
        let open = || {
            let mut file = BufReader::new(File::open(path)?);
            let (about, end) = read_header(&mut file)?;
            if about.variant != variant.name() {
                return Err(DataProblem::OtherVariant(about.variant));
            }
            let (path, grid) = (path.to_owned(), variant.grid());
            Ok(SampleReader { path, file, about, grid, blocks: 0, end })
        };
        open().map_err(|problem| problem.of(path))
    }

    /// The description in the header.
    pub fn about(&self) -> &SamplesAbout {
        &self.about
    }

    /// The end of the blocks read so far, in bytes from the start of the file.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Replaces `samples` by the next block. Returns `false` if there is no other complete block.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or the block is damaged.
    pub fn read(&mut self, samples: &mut Vec<Sample>) -> Result<bool, DataError> {
        samples.clear();
        match read_block(self.grid, self.blocks + 1, &mut self.file, samples) {
            Ok(size) => {
                self.blocks += 1;
                self.end += size;
                Ok(true)
            }
            Err(DataProblem::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Ok(false)
            }
            Err(problem) => Err(problem.of(&self.path)),
        }
    }
}
