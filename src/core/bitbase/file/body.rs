//! Bitbase files of any game: positions are numbers here.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bitbase::codec::{BLOCK, Grammar};
use crate::storage::FormatError;

use super::About;
use super::bytes::Bytes;
use super::error::{BitbaseProblem, FileError};
use super::header::{FORMAT, Header};

/// The size of the checksum at the end, in bytes.
const CHECK: usize = size_of::<u32>();

/// The stored values or distances of the quiet positions of a slice, by position number.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) path: PathBuf,
    pub(super) about: About,
    pub(super) bytes: Bytes,
    pub(super) header: Header,
    grammar: Grammar,
}

impl Body {
    /// See [`File::open`](super::File::open).
    pub(super) fn open(path: &Path, about: About) -> Result<Self, FileError> {
        let open = || Self::of(path, Bytes::map(&fs::File::open(path)?)?, about);
        open().map_err(|problem| problem.of(path))
    }

    /// See [`File::embedded`](super::File::embedded).
    pub(super) fn embedded(bytes: &'static [u8], about: About) -> Result<Self, FileError> {
        let path = Path::new("(part of the program)");
        let size = Header::read(bytes).and_then(|header| header.file_size());
        let file = size.and_then(|size| bytes.get(..usize::try_from(size).ok()?));
        let file = file.ok_or_else(|| foreign().of(path))?;
        Self::of(path, Bytes::Embedded(file), about).map_err(|problem| problem.of(path))
    }

    /// A file from its contents.
    fn of(path: &Path, bytes: Bytes, about: About) -> Result<Self, BitbaseProblem> {
        let all = bytes.all();
        let header = Header::read(all).ok_or_else(foreign)?;
        header.check(about)?;
        let (is, should) = (all.len() as u64, header.file_size().ok_or(FormatError::Corrupt)?);
        if is != should {
            return Err(BitbaseProblem::Size { is, should });
        }
        let grammar = header.grammar().ok_or(FormatError::Corrupt)?;
        Ok(Body { path: path.to_owned(), about, bytes, header, grammar })
    }

    /// Verifies the checksum of the whole file.
    pub(super) fn verify(&self) -> Result<(), FileError> {
        let (bytes, _) = self.bytes.all().split_at(self.bytes.all().len() - CHECK);
        let (is, should) = (crc32fast::hash(bytes), self.checksum());
        let wrong = BitbaseProblem::Checksum { is, should };
        if is == should { Ok(()) } else { Err(wrong.of(&self.path)) }
    }

    /// The stored checksum.
    pub(super) fn checksum(&self) -> u32 {
        let (_, check) = self.bytes.all().split_at(self.bytes.all().len() - CHECK);
        bytemuck::pod_read_unaligned(check)
    }

    /// See [`File::most_plies`](super::File::most_plies).
    pub(super) fn most_plies(&self) -> usize {
        2 * self.grammar.values() - 1
    }

    /// The symbol stored for the position with a given number; `None` if the file is corrupt.
    #[inline]
    pub(super) fn symbol(&self, number: u64) -> Option<u8> {
        let (block, place) = (number / BLOCK, number % BLOCK);
        let count = BLOCK.min(self.about.positions - block * BLOCK);
        self.grammar.value(self.codes(block)?, place as usize, count as usize)
    }

    /// See [`File::block`](super::File::block).
    pub(super) fn block(&self, block: u64) -> Vec<u8> {
        let codes = self.codes(block).unwrap_or_default();
        self.grammar.decode(codes, BLOCK as usize)
    }

    /// The codes of a block; `None` if the file is corrupt.
    #[inline]
    fn codes(&self, block: u64) -> Option<&[u8]> {
        let all = self.bytes.all();
        let at = size_of::<Header>() + block as usize * size_of::<u32>();
        let [start, end]: [u32; 2] = bytemuck::pod_read_unaligned(all.get(at..at + 8)?);
        all.get(self.header.codes_at()..)?.get(start as usize..end as usize)
    }
}

fn foreign() -> BitbaseProblem {
    FormatError::Foreign(FORMAT.name).into()
}
