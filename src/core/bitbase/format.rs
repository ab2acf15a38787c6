//! The format of bitbase files: headers, and the problems that make a file unusable.

use std::io;
use std::path::{Path, PathBuf};

use bytemuck::{Pod, Zeroable};

use crate::rules::Variant;
use crate::storage::{self, Format, FormatError};

use super::codec::{BLOCK, Grammar, Packed, Pair};
use super::counts::ValueCounts;
use super::index::Index;
use super::slice::Slice;
use super::subset::MAX_PIECES;

/// The format of bitbase files. The last magic byte is the control character that marks the end of
/// a text file.
pub(super) const FORMAT: Format = Format { name: "bitbase", magic: *b"Manoury\x1a", version: 1 };
/// The size of the name field, in bytes.
const NAME: usize = 16;

/// What a file stores about the quiet positions of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Content {
    /// The values: 0 is a loss, 1 a draw, 2 a win.
    Values = 0,
    /// Half the number of plies to the end of the game, rounded down; meaningless for draws.
    Distances = 1,
}

impl Content {
    /// Both contents.
    pub(super) const ALL: [Content; 2] = [Content::Values, Content::Distances];

    /// The path of a slice's file in a folder.
    pub(super) fn path(self, folder: &Path, slice: Slice) -> PathBuf {
        folder.join(match self {
            Content::Values => format!("{slice}.bitbase"),
            Content::Distances => format!("{slice}.distances"),
        })
    }
}

/// A bitbase file that cannot be used, and why.
pub type FileError = storage::FileError<BitbaseProblem>;

/// What is wrong with a bitbase file.
#[derive(Debug, thiserror::Error)]
pub enum BitbaseProblem {
    /// It cannot be read or written, has another format or version, or is damaged.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The variant, ending or content is not the one in the file name.
    #[error("not the variant or ending in its name")]
    OtherSlice,
    /// Its size is wrong.
    #[error("{is} bytes long, expected {should}")]
    Size {
        /// The actual size, in bytes.
        is: u64,
        /// The expected size, in bytes.
        should: u64,
    },
    /// Its checksum is wrong.
    #[error("corrupt: checksum {is:08x}, expected {should:08x}")]
    Checksum {
        /// The checksum of the contents.
        is: u32,
        /// The stored checksum.
        should: u32,
    },
}

impl BitbaseProblem {
    /// The error that consists of this problem and the path of the file.
    pub(super) fn of(self, path: &Path) -> FileError {
        FileError { path: path.to_owned(), problem: self }
    }
}

impl From<io::Error> for BitbaseProblem {
    fn from(error: io::Error) -> Self {
        BitbaseProblem::Format(error.into())
    }
}

/// The description of a file's contents in its header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileHeader {
    /// The variant.
    pub variant: Variant,
    /// The slice.
    pub slice: Slice,
    /// Values or distances.
    pub content: Content,
    /// The number of positions in the slice.
    pub positions: u64,
}

impl FileHeader {
    /// The header of a slice's file.
    pub fn new(variant: Variant, index: &Index, content: Content) -> Self {
        FileHeader { variant, slice: index.slice(), content, positions: index.len() }
    }
}

/// The header of a file as it is stored. Numbers are little-endian; on a big-endian machine every
/// file has the wrong version.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct RawHeader {
    magic: [u8; 8],
    version: u32,
    /// The number of men of the side to move and of the opponent, then the number of kings of each.
    slice: [u8; 4],
    /// The name of the variant, padded with zeros.
    variant: [u8; NAME],
    /// The number of positions.
    len: u64,
    /// The size of the codes, in bytes.
    codes: u64,
    /// The numbers of lost, drawn and won positions: first the quiet ones, then those with a
    /// capture; zeros in a file of distances.
    counts: [[u64; 3]; 2],
    /// The number of blocks of codes.
    blocks: u32,
    /// The number of entries of `pairs` in use.
    used: u32,
    /// The content of the file: see [`Content`].
    content: u32,
    /// The number of grammar symbols that are values.
    values: u32,
    /// The expansions of the grammar symbols after the values.
    pairs: [Pair; 256],
}

impl RawHeader {
    /// The header of a file to be written.
    pub fn new(header: FileHeader, counts: ValueCounts, packed: &Packed) -> Self {
        let FileHeader { variant, slice, content, positions: len } = header;
        let Slice { men, kings } = slice;
        let used = packed.grammar.pairs();
        let mut pairs = [[0; 2]; 256];
        pairs[..used.len()].copy_from_slice(used);
        RawHeader {
            magic: FORMAT.magic,
            version: FORMAT.version,
            slice: [men[0], men[1], kings[0], kings[1]],
            variant: name_of(variant),
            len,
            codes: packed.codes.len() as u64,
            counts: [counts.quiet, counts.capture],
            blocks: (packed.starts.len() - 1) as u32,
            used: used.len() as u32,
            content: content as u32,
            values: packed.grammar.values() as u32,
            pairs,
        }
    }

    /// The header of a file; `None` if the file is too short.
    pub fn read(file: &[u8]) -> Option<Self> {
        file.get(..size_of::<RawHeader>()).map(bytemuck::pod_read_unaligned)
    }

    /// Checks the format, version, variant, slice, content and number of positions.
    pub fn check(&self, header: FileHeader) -> Result<(), BitbaseProblem> {
        let FileHeader { variant, slice, content, positions: len } = header;
        let Slice { men, kings } = slice;
        if self.magic != FORMAT.magic {
            return Err(FormatError::WrongFormat(FORMAT.name).into());
        }
        FORMAT.check_version(self.version)?;
        let slice = [men[0], men[1], kings[0], kings[1]];
        let stored = (self.variant, self.slice, self.content);
        if stored != (name_of(variant), slice, content as u32) {
            return Err(BitbaseProblem::OtherSlice);
        }
        if self.len != len || u64::from(self.blocks) != len.div_ceil(BLOCK) {
            return Err(FormatError::Corrupt.into());
        }
        Ok(())
    }

    /// The slice and the content of the file; `None` if either is invalid.
    pub fn contents(&self) -> Option<(Slice, Content)> {
        let [us, them, our_kings, their_kings] = self.slice;
        let slice = Slice { men: [us, them], kings: [our_kings, their_kings] };
        let content = Content::ALL.into_iter().find(|&content| content as u32 == self.content)?;
        let is_slice = slice.pieces() <= MAX_PIECES && slice.has_both_sides();
        is_slice.then_some((slice, content))
    }

    /// The number of positions of each value.
    pub fn counts(&self) -> ValueCounts {
        let [quiet, capture] = self.counts;
        ValueCounts { quiet, capture }
    }

    /// The grammar of the codes; `None` if the file is corrupt.
    pub fn grammar(&self) -> Option<Grammar> {
        Grammar::new(self.values as usize, self.pairs.get(..self.used as usize)?)
    }

    /// The offset of the codes in the file, in bytes.
    #[inline(always)]
    pub fn codes_at(&self) -> usize {
        size_of::<RawHeader>() + (self.blocks as usize + 1) * size_of::<u32>()
    }

    /// The size of the file according to its header, in bytes; `None` on overflow.
    pub fn file_size(&self) -> Option<u64> {
        self.codes.checked_add((self.codes_at() + size_of::<u32>()) as u64)
    }
}

/// The name of a variant, padded with zeros.
fn name_of(variant: Variant) -> [u8; NAME] {
    let mut name = [0; NAME];
    for (to, &from) in name.iter_mut().zip(variant.name().as_bytes()) {
        *to = from;
    }
    name
}
