//! Bitbase files: the compressed values or distances of one slice each, probed in place.
//!
//! ```text
//! header   game, slice, content, counts and grammar (see `header`)
//! starts   u32 per block of 4,096 positions, and one more: where its codes begin and end
//! codes    the blocks in turn, one byte per symbol of the grammar
//! check    u32: the CRC-32 of all preceding bytes
//! ```
//!
//! Numbers are little-endian. No value is stored for a position in which the side to move must
//! capture: its place holds the symbol that makes the file smallest.

mod body;
mod bytes;
mod error;
mod header;

pub use error::{BitbaseProblem, FileError};

use std::path::{Path, PathBuf};

use crate::board::Geometry;
use crate::rules::Variant;
use crate::storage::write_with_checksum;

use super::codec::Packed;
use super::counts::ValueCounts;
use super::distance::plies_of;
use super::index::Index;
use super::slice::Slice;
use super::value::Value;
use crate::position::Pieces;
use body::Body;
use header::Header;

/// What a file stores about the quiet positions of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Content {
    /// The values: 0 is a loss, 1 a draw, 2 a win.
    Values = 0,
    /// Half the plies to the end of the game, rounded down; meaningless for draws.
    Distances = 1,
}

impl Content {
    /// Both contents.
    pub(super) const ALL: [Content; 2] = [Content::Values, Content::Distances];

    /// The path of the file of a slice in a folder.
    pub(super) fn path(self, folder: &Path, slice: Slice) -> PathBuf {
        folder.join(match self {
            Content::Values => format!("{slice}.bitbase"),
            Content::Distances => format!("{slice}.distances"),
        })
    }
}

/// What a file is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct About {
    /// The game.
    pub(super) variant: Variant,
    pub(super) slice: Slice,
    pub(super) content: Content,
    /// The number of positions in the slice.
    pub(super) positions: u64,
}

/// A bitbase file: the values or distances of the quiet positions of a slice.
#[derive(Debug)]
pub struct File<G: Geometry> {
    body: Body,
    index: Index<G>,
}

impl<G: Geometry> File<G> {
    /// Opens the file of a slice. Its contents are not verified: the checksum is left to
    /// [`File::verify`], and corrupt codes give wrong values but nothing worse.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or its header or size is wrong.
    pub fn open(
        path: &Path,
        variant: Variant,
        slice: Slice,
        content: Content,
    ) -> Result<Self, FileError> {
        let index = Index::new(slice);
        let about = About { variant, slice, content, positions: index.len() };
        Ok(File { body: Body::open(path, about)?, index })
    }

    /// The file of a slice at the start of embedded bytes.
    ///
    /// # Errors
    ///
    /// As [`File::open`].
    pub(super) fn embedded(
        bytes: &'static [u8],
        variant: Variant,
        slice: Slice,
        content: Content,
    ) -> Result<Self, FileError> {
        let index = Index::new(slice);
        let about = About { variant, slice, content, positions: index.len() };
        Ok(File { body: Body::embedded(bytes, about)?, index })
    }

    /// Verifies the checksum of the whole file.
    ///
    /// # Errors
    ///
    /// The checksum is wrong.
    pub fn verify(&self) -> Result<(), FileError> {
        self.body.verify()
    }

    /// The stored checksum.
    pub fn checksum(&self) -> u32 {
        self.body.checksum()
    }

    /// The game.
    pub fn variant(&self) -> Variant {
        self.body.about.variant
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.body.path
    }

    /// The index of its positions.
    pub fn index(&self) -> &Index<G> {
        &self.index
    }

    /// The number of positions of each value.
    pub fn counts(&self) -> ValueCounts {
        self.body.header.counts()
    }

    /// The size of the file, in bytes.
    pub fn size(&self) -> u64 {
        self.body.bytes.all().len() as u64
    }

    /// The value of a position without a capture, from a file of values; `None` if the file is
    /// corrupt.
    #[inline]
    pub fn value(&self, pieces: &Pieces<G>) -> Option<Value> {
        self.body.symbol(self.index.number(pieces)).map(Value::from_bits)
    }

    /// The plies to the end of the game from a won or lost position without a capture, from a file
    /// of distances; `None` if the file is corrupt.
    #[inline]
    pub fn plies(&self, pieces: &Pieces<G>, value: Value, without_move: Value) -> Option<u8> {
        let half = self.body.symbol(self.index.number(pieces))?;
        Some(plies_of(half, value, without_move))
    }

    /// An upper bound on the plies of all positions in a file of distances, those with captures
    /// included.
    pub(super) fn most_plies(&self) -> usize {
        self.body.most_plies()
    }

    /// The symbols stored for a block of positions, meaningless for those with captures; too few if
    /// the file is corrupt.
    pub(super) fn block(&self, block: u64) -> Vec<u8> {
        self.body.block(block)
    }
}

/// Writes a file into a folder atomically.
pub(super) fn write(
    folder: &Path,
    about: About,
    counts: ValueCounts,
    packed: &Packed,
) -> Result<(), FileError> {
    let path = about.content.path(folder, about.slice);
    let header = Header::new(about, counts, packed);
    let parts = [bytemuck::bytes_of(&header), bytemuck::cast_slice(&packed.starts), &packed.codes];
    write_with_checksum(&path, &parts).map_err(|error| BitbaseProblem::from(error).of(&path))
}
