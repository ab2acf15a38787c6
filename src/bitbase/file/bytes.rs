//! What is in a file, as memory.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// The bytes of a file.
#[derive(Debug)]
pub(super) enum Bytes {
    /// On disk, read as they are looked at.
    Mapped(Mmap),
    /// Part of the program.
    Embedded(&'static [u8]),
}

impl Bytes {
    /// Maps a file.
    pub(super) fn map(file: &File) -> io::Result<Self> {
        // SAFETY: the file must not change while it is mapped. The program replaces bitbases only as
        // a whole, under a new name, which leaves mapped ones as they are; that nobody else writes
        // into them is what every program that maps its data has to trust in.
        let map = unsafe { Mmap::map(file)? };
        Ok(Bytes::Mapped(map))
    }

    /// All of them.
    #[inline(always)]
    pub(super) fn all(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Embedded(bytes) => bytes,
        }
    }
}
