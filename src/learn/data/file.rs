//! Reading and writing sample files.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::board::Grid;
use crate::rules::Variant;
use crate::storage::format::{HEADER_SIZE, push_section};
use crate::storage::{Format, write_atomically};

use super::error::{DataError, DataProblem};
use super::header::{Origin, SamplesHeader};
use super::sample::Sample;

/// Reads a sample file block by block.
pub struct SampleReader {
    path: PathBuf,
    file: BufReader<File>,
    about: SamplesHeader,
    grid: Grid,
    /// The number of blocks read so far.
    blocks: u64,
    /// The end of the last complete block read, in bytes from the start of the file.
    end: u64,
}

impl SampleReader {
    /// Opens a sample file of a variant.
    ///
    /// # Errors
    ///
    /// The file cannot be read, its header is damaged, or it belongs to another variant.
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
    pub fn about(&self) -> &SamplesHeader {
        &self.about
    }

    /// The end of the blocks read so far, in bytes from the start of the file.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Replaces the contents of `samples` with the next block. Returns `false` if no complete block
    /// is left.
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

/// Appends blocks to a sample file, which is locked against other processes.
pub struct SampleWriter {
    path: PathBuf,
    file: File,
    grid: Grid,
}

impl SampleWriter {
    /// Creates a file with its header, atomically: on failure, no file is left behind.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or another process is writing it.
    pub fn create(variant: Variant, path: &Path, origin: Origin) -> Result<Self, DataError> {
        let about = SamplesHeader::new(variant, origin);
        let create = || {
            let file = write_atomically(path, |file| file.write_all(&header(&about)?))?;
            lock(&file)?;
            Ok(SampleWriter { path: path.to_owned(), file, grid: variant.grid() })
        };
        create().map_err(|problem: DataProblem| problem.of(path))
    }

    /// Opens an existing file for appending, and counts its blocks. Its header must be the one that
    /// [`SampleWriter::create`] would write. Any incomplete block at the end of the file is
    /// removed.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, is damaged, has a different header, or another process
    /// is writing it.
    pub fn resume(variant: Variant, path: &Path, origin: Origin) -> Result<(Self, u64), DataError> {
        let open = || {
            let file = OpenOptions::new().write(true).open(path)?;
            lock(&file)?;
            Ok(file)
        };
        let mut file = open().map_err(|problem: DataProblem| problem.of(path))?;
        let mut reader = SampleReader::open(variant, path)?;
        if *reader.about() != SamplesHeader::new(variant, origin) {
            return Err(DataProblem::OtherSettings.of(path));
        }
        let (mut samples, mut blocks) = (Vec::new(), 0);
        while reader.read(&mut samples)? {
            blocks += 1;
        }
        let mut cut = || {
            file.set_len(reader.end())?;
            file.seek(SeekFrom::End(0))
        };
        cut().map_err(|error| DataProblem::Io(error).of(path))?;
        Ok((SampleWriter { path: path.to_owned(), file, grid: variant.grid() }, blocks))
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

/// Locks a file for as long as it is open.
fn lock(file: &File) -> Result<(), DataProblem> {
    // On Windows, a lock would also keep this process from reading the file through another handle.
    if cfg!(windows) {
        return Ok(());
    }
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(DataProblem::InUse),
        // Some cluster file systems do not support locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// The format of sample files.
pub(super) const FORMAT: Format = Format { name: "samples", magic: *b"Manoury\x1d", version: 1 };
/// The maximum length of the description in the header, in bytes.
const MAX_TEXT: u32 = 1 << 16;
/// The maximum number of samples in a block.
const MAX_SAMPLES: u32 = 1 << 16;

/// The bytes of a header.
pub(super) fn header(about: &SamplesHeader) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(about)?;
    let mut header = FORMAT.header();
    push_section(&mut header, &text);
    header.extend(crc32fast::hash(&text).to_le_bytes());
    Ok(header)
}

/// Reads a header. Returns the header and its size in bytes.
pub(super) fn read_header(file: &mut impl Read) -> Result<(SamplesHeader, u64), DataProblem> {
    let start: [u8; HEADER_SIZE] = take(file).map_err(not_samples)?;
    FORMAT.strip_header(&start)?;
    let length = take_u32(file).map_err(not_samples)?;
    if length > MAX_TEXT {
        return Err(DataProblem::Header);
    }
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text).map_err(not_samples)?;
    if crc32fast::hash(&text) != take_u32(file).map_err(not_samples)? {
        return Err(DataProblem::Header);
    }
    let about = serde_json::from_slice(&text).map_err(|_| DataProblem::Header)?;
    Ok((about, (HEADER_SIZE + 2 * size_of::<u32>() + text.len()) as u64))
}

/// Converts an error in reading a header. A file that is too short for a header is not a sample
/// file.
fn not_samples(error: io::Error) -> DataProblem {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => DataProblem::NotSamples,
        _ => DataProblem::Io(error),
    }
}

/// The bytes of a block.
pub(super) fn block(grid: Grid, samples: &[Sample]) -> Vec<u8> {
    let mut block = Vec::with_capacity(samples.len() * Sample::bytes(grid) + 8);
    block.extend_from_slice(&(samples.len() as u32).to_le_bytes());
    for sample in samples {
        sample.write(grid, &mut block);
    }
    let check = crc32fast::hash(&block);
    block.extend_from_slice(&check.to_le_bytes());
    block
}

/// Reads a block and appends its samples to `samples`. Returns the size of the block in bytes.
/// `number` identifies the block in errors.
pub(super) fn read_block(
    grid: Grid,
    number: u64,
    file: &mut impl Read,
    samples: &mut Vec<Sample>,
) -> Result<u64, DataProblem> {
    let fault = |fault| DataProblem::Block { number, fault };
    let count = take(file)?;
    if u32::from_le_bytes(count) > MAX_SAMPLES {
        return Err(fault("too many samples"));
    }
    let size = Sample::bytes(grid);
    let mut bytes = vec![0; u32::from_le_bytes(count) as usize * size];
    file.read_exact(&mut bytes)?;
    let check = take(file)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&count);
    hasher.update(&bytes);
    if hasher.finalize() != u32::from_le_bytes(check) {
        return Err(fault("wrong checksum"));
    }
    for sample in bytes.chunks_exact(size) {
        let sample = Sample::read(grid, sample).ok_or(fault("no position"))?;
        sample.setup.check(grid).map_err(|_| fault("impossible position"))?;
        samples.push(sample);
    }
    Ok((count.len() + bytes.len() + check.len()) as u64)
}

fn take_u32(file: &mut impl Read) -> io::Result<u32> {
    take(file).map(u32::from_le_bytes)
}

fn take<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
