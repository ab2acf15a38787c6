//! Bitbase files. Each holds the compressed values or distances of one slice and is probed without
//! being decompressed as a whole.
//!
//! ```text
//! header   variant, slice, content, counts and grammar (see `format`)
//! starts   u32 per block of 4,096 positions: the offset of its codes; then the end of the last
//! codes    the blocks in order, one byte per symbol of the grammar
//! check    u32: the CRC-32 of all preceding bytes
//! ```
//!
//! Numbers are little-endian. The symbols stored for positions in which the side to move must
//! capture are meaningless and chosen to keep the file small.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use flate2::read::DeflateDecoder;
use memmap2::Mmap;

use crate::board::{Geometry, Grid};
use crate::position::Pieces;
use crate::rules::Variant;
use crate::storage::{FormatError, write_with_checksum};

use super::codec::{BLOCK, Grammar, Packed};
use super::counts::ValueCounts;
use super::format::{BitbaseProblem, Content, FORMAT, FileError, FileHeader, RawHeader};
use super::index::Index;
use super::slice::Slice;
use super::value::Value;

/// The size of the checksum at the end, in bytes.
const CHECK: usize = size_of::<u32>();

/// The bytes of a file.
#[derive(Debug)]
enum Bytes {
    /// Mapped from disk and read on access.
    Mapped(Mmap),
    /// In an archive, decompressed on the first access.
    Archived {
        /// The part of the file after the header, compressed.
        compressed: &'static [u8],
        /// The whole file; empty if the archive is damaged.
        whole: OnceLock<Vec<u8>>,
    },
}

/// Maps a file into memory.
fn map(file: &fs::File) -> io::Result<Mmap> {
    // SAFETY: the file must not change while it is mapped. The program only ever replaces whole
    // bitbase files by renaming, which leaves existing mappings unchanged. It has to assume, like
    // every program that maps files, that no other program writes to the file; that another one
    // truncates it is survived (`memory::survive_truncated_files`).
    unsafe { Mmap::map(file) }
}

/// Restores a file of the given size from its header and the compressed rest; empty if the data is
/// damaged.
#[cold]
fn restore(header: &RawHeader, size: u64, compressed: &[u8]) -> Vec<u8> {
    let mut file = inflate(compressed, bytemuck::bytes_of(header).to_vec(), size);
    if file.len() as u64 != size {
        return Vec::new();
    }
    file.shrink_to_fit();
    file
}

/// Appends decompressed bytes to `start`, up to a total of `most` bytes or to the first damaged
/// byte.
pub(super) fn inflate(compressed: &[u8], mut start: Vec<u8>, most: u64) -> Vec<u8> {
    let limit = most.saturating_sub(start.len() as u64);
    // On an error, everything before the damage has been appended.
    let _ = DeflateDecoder::new(compressed).take(limit).read_to_end(&mut start);
    start
}

/// A bitbase file: the values or distances of the quiet positions of a slice.
#[derive(Debug)]
pub struct File {
    path: PathBuf,
    variant: Variant,
    index: Index,
    content: Content,
    bytes: Bytes,
    header: RawHeader,
    grammar: Grammar,
    size: u64,
}

impl File {
    /// Opens a variant's file for a slice on the given board. Its contents are not verified:
    /// [`File::verify`] checks the checksum, and corrupt codes cause wrong values but no other
    /// harm.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or if its header or size is wrong.
    pub fn open(
        path: &Path,
        grid: Grid,
        variant: Variant,
        slice: Slice,
        content: Content,
    ) -> Result<Self, FileError> {
        let index = Index::new(grid, slice);
        let open = || {
            let map = map(&fs::File::open(path)?)?;
            let header = RawHeader::read(&map).ok_or_else(wrong_format)?;
            let file = Self::new(path, Bytes::Mapped(map), header, variant, index, content)?;
            let (is, should) = (file.bytes().len() as u64, file.size());
            if is == should { Ok(file) } else { Err(BitbaseProblem::Size { is, should }) }
        };
        open().map_err(|problem: BitbaseProblem| problem.of(path))
    }

    /// A variant's file from an archive, given its header and the compressed rest.
    ///
    /// # Errors
    ///
    /// Fails if the header is wrong.
    pub(super) fn archived(
        header: RawHeader,
        compressed: &'static [u8],
        grid: Grid,
        variant: Variant,
    ) -> Result<Self, FileError> {
        let path = Path::new("(built-in)");
        let open = || {
            let (slice, content) = header.contents().ok_or(FormatError::Corrupt)?;
            let bytes = Bytes::Archived { compressed, whole: OnceLock::new() };
            Self::new(path, bytes, header, variant, Index::new(grid, slice), content)
        };
        open().map_err(|problem: BitbaseProblem| problem.of(path))
    }

    fn new(
        path: &Path,
        bytes: Bytes,
        header: RawHeader,
        variant: Variant,
        index: Index,
        content: Content,
    ) -> Result<Self, BitbaseProblem> {
        header.check(FileHeader::new(variant, &index, content))?;
        let grammar = header.grammar().ok_or(FormatError::Corrupt)?;
        let size = header.file_size().ok_or(FormatError::Corrupt)?;
        let path = path.to_owned();
        Ok(File { path, variant, index, content, bytes, header, grammar, size })
    }

    /// All bytes of the file; empty if its data in the archive is damaged.
    #[inline(always)]
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Archived { compressed, whole } => {
                whole.get_or_init(|| restore(&self.header, self.size, compressed))
            }
        }
    }

    /// Verifies the checksum of the whole file.
    ///
    /// # Errors
    ///
    /// Fails if the checksum is wrong.
    pub fn verify(&self) -> Result<(), FileError> {
        let contents = self.bytes().split_last_chunk::<CHECK>().map(|(contents, _)| contents);
        let (is, should) = (crc32fast::hash(contents.unwrap_or_default()), self.checksum());
        let wrong = BitbaseProblem::Checksum { is, should };
        if is == should { Ok(()) } else { Err(wrong.of(&self.path)) }
    }

    /// The stored checksum.
    pub fn checksum(&self) -> u32 {
        self.bytes().last_chunk().copied().map_or(u32::MAX, u32::from_le_bytes)
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The slice.
    pub fn slice(&self) -> Slice {
        self.index.slice()
    }

    /// Values or distances.
    pub fn content(&self) -> Content {
        self.content
    }

    /// The index of its positions.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The number of positions in the slice.
    pub fn positions(&self) -> u64 {
        self.index.len()
    }

    /// The number of positions of each value.
    pub fn counts(&self) -> ValueCounts {
        self.header.counts()
    }

    /// The size of the file, in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// For a file of values: the value of a quiet position; `None` if the file is corrupt.
    #[inline]
    pub fn value<G: Geometry>(&self, pieces: &Pieces<G>) -> Option<Value> {
        self.symbol(self.index.number(pieces)).map(Value::from_bits)
    }

    /// For a file of distances: the number of plies from a won or lost quiet position to the end of
    /// the game; `None` if the file is corrupt.
    pub fn plies<G: Geometry>(
        &self,
        pieces: &Pieces<G>,
        value: Value,
        without_move: Value,
    ) -> Option<u8> {
        let half = self.symbol(self.index.number(pieces))?;
        Some(value.plies_of(half, without_move))
    }

    /// For a file of distances: an upper bound on the distance, in plies, of every position,
    /// including those with captures.
    pub(crate) fn max_plies(&self) -> usize {
        2 * self.grammar.values() - 1
    }

    /// The symbol stored for the position with a given number; `None` if the file is corrupt.
    #[inline]
    fn symbol(&self, number: u64) -> Option<u8> {
        let (block, place) = (number / BLOCK, number % BLOCK);
        let count = BLOCK.min(self.index.len() - block * BLOCK);
        self.grammar.value(self.codes(block)?, place as usize, count as usize)
    }

    /// The symbols stored for a block of positions. They are meaningless for positions with
    /// captures, and too few if the file is corrupt.
    pub(super) fn block(&self, block: u64) -> Vec<u8> {
        let codes = self.codes(block).unwrap_or_default();
        self.grammar.decode(codes, BLOCK as usize)
    }

    /// The codes of a block; `None` if the file is corrupt.
    #[inline]
    fn codes(&self, block: u64) -> Option<&[u8]> {
        let all = self.bytes();
        let at = size_of::<RawHeader>() + block as usize * size_of::<u32>();
        let [start, end]: [u32; 2] = bytemuck::pod_read_unaligned(all.get(at..at + 8)?);
        all.get(self.header.codes_at()..)?.get(start as usize..end as usize)
    }
}

fn wrong_format() -> BitbaseProblem {
    FormatError::WrongFormat(FORMAT.name).into()
}

/// Writes a file into a folder atomically.
pub(super) fn write(
    folder: &Path,
    header: FileHeader,
    counts: ValueCounts,
    packed: &Packed,
) -> Result<(), FileError> {
    let path = header.content.path(folder, header.slice);
    let header = RawHeader::new(header, counts, packed);
    let parts = [bytemuck::bytes_of(&header), bytemuck::cast_slice(&packed.starts), &packed.codes];
    write_with_checksum(&path, &parts).map_err(|error| BitbaseProblem::from(error).of(&path))
}
