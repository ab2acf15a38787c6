//! The contents of a file in memory.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// The bytes of a file.
#[derive(Debug)]
pub(super) enum Bytes {
    /// Mapped from disk and read on access.
    Mapped(Mmap),
    /// Embedded in the program.
    Embedded(&'static [u8]),
}

impl Bytes {
    /// Maps a file into memory.
    pub(super) fn map(file: &File) -> io::Result<Self> {
        // SAFETY: the file must not change while it is mapped. The program replaces bitbases only
        // as a whole, by a new file under the same name, which leaves existing mappings unchanged;
        // that no other program writes into the file is an assumption that every program that maps
        // its data has to make.
        let map = unsafe { Mmap::map(file)? };
        Ok(Bytes::Mapped(map))
    }

    /// All bytes of the file.
    #[inline(always)]
    pub(super) fn all(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Embedded(bytes) => bytes,
        }
    }
}
