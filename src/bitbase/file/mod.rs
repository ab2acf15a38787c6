//! Files of bitbases: the values or the distances of one slice each, compressed, looked into where
//! they lie.
//!
//! ```text
//! header   what the file is about, counts, the grammar (see `header`)
//! starts   u32 for each block of 4,096 positions and one more: where its codes begin and end
//! codes    a byte for each symbol of the grammar
//! check    u32: the CRC-32 of all bytes before
//! ```
//!
//! Numbers are little-endian. A position in which the side to move must capture has no value of its
//! own: its place holds whatever makes the file smallest.

mod bytes;
mod error;
mod header;

pub use error::{FileError, Problem};

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::rules::Rules;
use crate::storage::write_whole;

use super::codec::{BLOCK, Grammar, Packed};
use super::counts::Counts;
use super::distance::plies_of;
use super::index::Index;
use super::slice::Slice;
use super::value::Value;
use crate::position::Pieces;
use bytes::Bytes;
use header::Header;

/// What a file tells about the quiet positions of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Content {
    /// The values: 0 a loss, 1 a draw, 2 a win.
    Values = 0,
    /// Half the plies to the end of the game, rounded down; without meaning for draws.
    Distances = 1,
}

impl Content {
    /// Both.
    pub(super) const ALL: [Content; 2] = [Content::Values, Content::Distances];

    /// The file of a slice in a folder.
    pub(super) fn path(self, folder: &Path, slice: Slice) -> PathBuf {
        folder.join(match self {
            Content::Values => format!("{slice}.bitbase"),
            Content::Distances => format!("{slice}.distances"),
        })
    }
}

/// The checksum at the end.
const CHECK: usize = size_of::<u32>();

/// What is known about the quiet positions of a slice.
#[derive(Debug)]
pub struct File<R: Rules> {
    path: PathBuf,
    bytes: Bytes,
    header: Header,
    grammar: Grammar,
    index: Index<R>,
}

impl<R: Rules> File<R> {
    /// Opens a file that should be about a slice. It is not read through: its checksum waits for
    /// [`File::verify`], and wrong codes give wrong values but nothing worse.
    ///
    /// # Errors
    ///
    /// Whatever can be told wrong from the start and the size of the file.
    pub fn open(path: &Path, slice: Slice, content: Content) -> Result<Self, FileError> {
        let open = || Self::of(path, Bytes::map(&fs::File::open(path)?)?, slice, content);
        open().map_err(|problem| problem.of(path))
    }

    /// The file of a slice at the start of a part of the program.
    ///
    /// # Errors
    ///
    /// As [`File::open`].
    pub(super) fn embedded(
        bytes: &'static [u8],
        slice: Slice,
        content: Content,
    ) -> Result<Self, FileError> {
        let path = Path::new("(part of the program)");
        let size = Header::read(bytes).and_then(|header| header.file_size());
        let file = size.and_then(|size| bytes.get(..usize::try_from(size).ok()?));
        let file = file.ok_or(Problem::NoBitbase).map_err(|problem| problem.of(path))?;
        let file = Bytes::Embedded(file);
        Self::of(path, file, slice, content).map_err(|problem| problem.of(path))
    }

    /// A file by its contents.
    fn of(path: &Path, bytes: Bytes, slice: Slice, content: Content) -> Result<Self, Problem> {
        let all = bytes.all();
        let header = Header::read(all).ok_or(Problem::NoBitbase)?;
        let index = Index::new(slice);
        header.check(&index, content)?;
        let (is, should) = (all.len() as u64, header.file_size().ok_or(Problem::Corrupt)?);
        if is != should {
            return Err(Problem::Size { is, should });
        }
        let grammar = header.grammar().ok_or(Problem::Corrupt)?;
        Ok(File { path: path.to_owned(), bytes, header, grammar, index })
    }

    /// Reads the whole file and compares its checksum.
    ///
    /// # Errors
    ///
    /// The checksum is wrong.
    pub fn verify(&self) -> Result<(), FileError> {
        let (bytes, _) = self.bytes.all().split_at(self.bytes.all().len() - CHECK);
        let (is, should) = (crc32fast::hash(bytes), self.checksum());
        let wrong = Problem::Checksum { is, should };
        if is == should { Ok(()) } else { Err(wrong.of(&self.path)) }
    }

    /// The checksum that the file was written with.
    pub fn checksum(&self) -> u32 {
        let (_, check) = self.bytes.all().split_at(self.bytes.all().len() - CHECK);
        bytemuck::pod_read_unaligned(check)
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The numbers of its positions.
    pub fn index(&self) -> &Index<R> {
        &self.index
    }

    /// How many positions have which value.
    pub fn counts(&self) -> Counts {
        self.header.counts()
    }

    /// How many bytes it takes.
    pub fn size(&self) -> u64 {
        self.bytes.all().len() as u64
    }

    /// The value of a position without a capture to make, by a file of values; `None` in a corrupt
    /// file.
    #[inline]
    pub fn value(&self, pieces: &Pieces<R::Geometry>) -> Option<Value> {
        self.symbol(pieces).map(Value::from_bits)
    }

    /// The plies to the end of a position without a capture to make that is won or lost, by a file of
    /// distances; `None` in a corrupt file.
    #[inline]
    pub fn plies(&self, pieces: &Pieces<R::Geometry>, value: Value) -> Option<u8> {
        self.symbol(pieces).map(|half| plies_of::<R>(half, value))
    }

    /// No position of a file of distances, captures to make or not, takes more plies.
    pub(super) fn most_plies(&self) -> usize {
        2 * self.grammar.values() - 1
    }

    /// What is stored about a position; `None` in a corrupt file.
    #[inline]
    fn symbol(&self, pieces: &Pieces<R::Geometry>) -> Option<u8> {
        let number = self.index.number(pieces);
        let (block, place) = (number / BLOCK, number % BLOCK);
        let count = BLOCK.min(self.index.len() - block * BLOCK);
        self.grammar.value(self.codes(block)?, place as usize, count as usize)
    }

    /// What is stored about a whole block of positions, without meaning for those with captures to
    /// make; less than there should be in a corrupt file.
    pub(super) fn block(&self, block: u64) -> Vec<u8> {
        let codes = self.codes(block).unwrap_or_default();
        self.grammar.decode(codes, BLOCK as usize)
    }

    /// The codes of a block.
    #[inline]
    fn codes(&self, block: u64) -> Option<&[u8]> {
        let all = self.bytes.all();
        let at = size_of::<Header>() + block as usize * size_of::<u32>();
        let [start, end]: [u32; 2] = bytemuck::pod_read_unaligned(all.get(at..at + 8)?);
        all.get(self.header.codes_at()..)?.get(start as usize..end as usize)
    }
}

/// Writes a file into a folder: there is never half a file.
pub(super) fn write<R: Rules>(
    folder: &Path,
    index: &Index<R>,
    content: Content,
    counts: Counts,
    packed: &Packed,
) -> Result<(), FileError> {
    let path = content.path(folder, index.slice());
    let header = Header::new(index, content, counts, packed);
    let parts = [bytemuck::bytes_of(&header), bytemuck::cast_slice(&packed.starts), &packed.codes];
    let write = |file: &mut dyn Write| {
        let mut check = crc32fast::Hasher::new();
        for part in parts {
            check.update(part);
            file.write_all(part)?;
        }
        file.write_all(&check.finalize().to_le_bytes())
    };
    match write_whole(&path, write) {
        Ok(_) => Ok(()),
        Err(error) => Err(Problem::Io(error).of(&path)),
    }
}
