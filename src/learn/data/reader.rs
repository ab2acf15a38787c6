//! Reading files.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use crate::rules::Rules;

use super::about::About;
use super::error::{DataError, Problem};
use super::sample::Sample;
use super::{MAGIC, MOST_SAMPLES, MOST_TEXT, VERSION};

/// A file that is read block by block.
pub struct Reader<R: Rules> {
    path: PathBuf,
    file: BufReader<File>,
    about: About,
    /// Blocks read so far.
    blocks: u64,
    /// Where the last whole block ends.
    end: u64,
    rules: PhantomData<R>,
}

impl<R: Rules> Reader<R> {
    /// Opens a file of positions of the game.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or its header is not as it should be.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let open = || {
            let mut file = BufReader::new(File::open(path)?);
            let (about, end) = header(&mut file)?;
            if about.variant != R::VARIANT.name() {
                return Err(Problem::OtherVariant(about.variant));
            }
            let path = path.to_owned();
            Ok(Reader { path, file, about, blocks: 0, end, rules: PhantomData })
        };
        open().map_err(|problem| problem.of(path))
    }

    /// What the file is about.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Where the blocks read so far end, in bytes from the start of the file.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Puts the next block in place of `samples`; `false` if there is none, or if it breaks off.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or the block is damaged.
    pub fn read(&mut self, samples: &mut Vec<Sample<R::Geometry>>) -> Result<bool, DataError> {
        samples.clear();
        let read = self.block(samples);
        match read {
            Ok(()) => Ok(true),
            Err(Problem::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(problem) => Err(problem.of(&self.path)),
        }
    }

    fn block(&mut self, samples: &mut Vec<Sample<R::Geometry>>) -> Result<(), Problem> {
        let number = self.blocks + 1;
        let fault = |fault| Problem::Block { number, fault };
        let count = take(&mut self.file)?;
        if u32::from_le_bytes(count) > MOST_SAMPLES {
            return Err(fault("too many samples"));
        }
        let size = Sample::<R::Geometry>::BYTES;
        let mut bytes = vec![0; u32::from_le_bytes(count) as usize * size];
        self.file.read_exact(&mut bytes)?;
        let check = take(&mut self.file)?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&count);
        hasher.update(&bytes);
        if hasher.finalize() != u32::from_le_bytes(check) {
            return Err(fault("wrong checksum"));
        }
        for sample in bytes.chunks_exact(size) {
            let sample = Sample::read(sample).ok_or(fault("no position"))?;
            sample.setup.position::<R>().map_err(|_| fault("impossible position"))?;
            samples.push(sample);
        }
        self.blocks = number;
        self.end += (count.len() + bytes.len() + check.len()) as u64;
        Ok(())
    }
}

/// Reads what comes before the blocks, and how many bytes that takes.
fn header(file: &mut impl Read) -> Result<(About, u64), Problem> {
    let magic: [u8; 8] = take(file).map_err(no_data)?;
    if magic != MAGIC {
        return Err(Problem::NoData);
    }
    let version = u32::from_le_bytes(take(file).map_err(no_data)?);
    if version != VERSION {
        return Err(Problem::Version(version));
    }
    let length = u32::from_le_bytes(take(file).map_err(no_data)?);
    if length > MOST_TEXT {
        return Err(Problem::About);
    }
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text).map_err(no_data)?;
    let check = u32::from_le_bytes(take(file).map_err(no_data)?);
    if crc32fast::hash(&text) != check {
        return Err(Problem::About);
    }
    let about = serde_json::from_slice(&text).map_err(|_| Problem::About)?;
    Ok((about, (magic.len() + 3 * size_of::<u32>() + text.len()) as u64))
}

/// A header that breaks off is none.
fn no_data(error: io::Error) -> Problem {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Problem::NoData,
        _ => Problem::Io(error),
    }
}

fn take<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
