//! The headers of bitbase files.

use bytemuck::{Pod, Zeroable};

use crate::bitbase::codec::{Grammar, Packed, Pair};
use crate::bitbase::counts::ValueCounts;
use crate::bitbase::slice::Slice;
use crate::rules::Variant;
use crate::storage::{Format, FormatError};

use super::About;
use super::error::BitbaseProblem;

/// The format of bitbase files. The last magic byte is the control character that ends a text file.
pub(super) const FORMAT: Format = Format { name: "bitbase", magic: *b"Manoury\x1a", version: 1 };
/// The size of the name field, in bytes.
const NAME: usize = 16;

/// The header of a file. Numbers are little-endian; on a big-endian machine no file has the right
/// version.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Header {
    magic: [u8; 8],
    version: u32,
    /// Men of the side to move and of the opponent, then kings.
    slice: [u8; 4],
    /// The name of the game, padded with zeros.
    variant: [u8; NAME],
    /// The number of positions.
    len: u64,
    /// The size of the codes, in bytes.
    codes: u64,
    /// The numbers of lost, drawn and won positions: without a capture, then with one. Zeros in a
    /// file of distances.
    counts: [[u64; 3]; 2],
    /// The number of blocks of codes.
    blocks: u32,
    /// The number of pairs in use.
    used: u32,
    /// The content of the file: see [`Content`](super::Content).
    content: u32,
    /// The number of grammar symbols that are values.
    values: u32,
    /// The expansions of the grammar symbols after the values.
    pairs: [Pair; 256],
}

impl Header {
    /// The header of a file to be written.
    pub(super) fn new(about: About, counts: ValueCounts, packed: &Packed) -> Self {
        let About { variant, slice, content, positions: len } = about;
        let Slice { men, kings } = slice;
        let used = packed.grammar.pairs();
        let mut pairs = [[0; 2]; 256];
        pairs[..used.len()].copy_from_slice(used);
        Header {
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
    pub(super) fn read(file: &[u8]) -> Option<Self> {
        file.get(..size_of::<Header>()).map(bytemuck::pod_read_unaligned)
    }

    /// Checks the format, version, game, slice, content and number of positions.
    pub(super) fn check(&self, about: About) -> Result<(), BitbaseProblem> {
        let About { variant, slice, content, positions: len } = about;
        let Slice { men, kings } = slice;
        if self.magic != FORMAT.magic {
            return Err(FormatError::Foreign(FORMAT.name).into());
        }
        FORMAT.check_version(self.version)?;
        let slice = [men[0], men[1], kings[0], kings[1]];
        let about = (self.variant, self.slice, self.content);
        if about != (name_of(variant), slice, content as u32) {
            return Err(BitbaseProblem::OtherSlice);
        }
        if self.len != len || u64::from(self.blocks) != blocks(len) {
            return Err(FormatError::Corrupt.into());
        }
        Ok(())
    }

    /// The number of positions of each value.
    pub(super) fn counts(&self) -> ValueCounts {
        let [quiet, capture] = self.counts;
        ValueCounts { quiet, capture }
    }

    /// The grammar of the codes; `None` if the file is corrupt.
    pub(super) fn grammar(&self) -> Option<Grammar> {
        Grammar::new(self.values as usize, self.pairs.get(..self.used as usize)?)
    }

    /// The offset of the codes in the file, in bytes.
    #[inline(always)]
    pub(super) fn codes_at(&self) -> usize {
        size_of::<Header>() + (self.blocks as usize + 1) * size_of::<u32>()
    }

    /// The size of the file according to its header, in bytes; `None` on overflow.
    pub(super) fn file_size(&self) -> Option<u64> {
        self.codes.checked_add((self.codes_at() + size_of::<u32>()) as u64)
    }
}

/// The number of blocks that `len` positions take.
fn blocks(len: u64) -> u64 {
    len.div_ceil(crate::bitbase::codec::BLOCK)
}

/// The name of a game, padded with zeros.
fn name_of(variant: Variant) -> [u8; NAME] {
    let mut name = [0; NAME];
    for (to, &from) in name.iter_mut().zip(variant.name().as_bytes()) {
        *to = from;
    }
    name
}
