//! The structure common to Manoury's file formats: magic bytes and a version at the start, the
//! CRC-32 of all preceding bytes at the end. Numbers are little-endian.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A file format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name of the format in messages, such as "book".
    pub name: &'static str,
    /// The first bytes: `Manoury` and a control character unique to the format.
    pub magic: [u8; 8],
    /// The version of the format.
    pub version: u32,
}

/// Why a file could not be read or written in its format.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has a different format.
    #[error("not a Manoury {0} file")]
    WrongFormat(&'static str),
    /// The file has a different version of the format.
    #[error("format version {is}, expected {should}")]
    Version {
        /// The version of the file.
        is: u32,
        /// The version that can be read.
        should: u32,
    },
    /// The file is damaged.
    #[error("corrupt")]
    Corrupt,
}

/// The size of the magic bytes and the version, in bytes.
pub const HEADER_SIZE: usize = 12;
/// The size of the checksum, in bytes.
pub const CHECKSUM_SIZE: usize = size_of::<u32>();

impl Format {
    /// The header of a file: magic bytes and version.
    pub fn header(&self) -> Vec<u8> {
        let mut file = self.magic.to_vec();
        file.extend(self.version.to_le_bytes());
        file
    }

    /// Checks the header of a file and returns everything after it.
    ///
    /// # Errors
    ///
    /// Fails if the file has a different format or version.
    pub fn strip_header<'a>(&self, file: &'a [u8]) -> Result<&'a [u8], FormatError> {
        let foreign = || FormatError::WrongFormat(self.name);
        let rest = file.strip_prefix(&self.magic).ok_or_else(foreign)?;
        let (&version, rest) = rest.split_first_chunk().ok_or_else(foreign)?;
        self.check_version(u32::from_le_bytes(version))?;
        Ok(rest)
    }

    /// Checks a version.
    ///
    /// # Errors
    ///
    /// Fails if the version differs from that of the format.
    pub fn check_version(&self, is: u32) -> Result<(), FormatError> {
        let should = self.version;
        if is == should { Ok(()) } else { Err(FormatError::Version { is, should }) }
    }

    /// The body of a file (the bytes between its header and its checksum), and the checksum.
    ///
    /// # Errors
    ///
    /// Fails if the file has a different format or version, or a wrong checksum.
    pub fn open<'a>(&self, file: &'a [u8]) -> Result<(&'a [u8], u32), FormatError> {
        let rest = self.strip_header(file)?;
        let (body, _) = rest.split_last_chunk::<CHECKSUM_SIZE>().ok_or(FormatError::Corrupt)?;
        let (all, check) = file.split_last_chunk().ok_or(FormatError::Corrupt)?;
        let checksum = crc32fast::hash(all);
        if *check == checksum.to_le_bytes() {
            Ok((body, checksum))
        } else {
            Err(FormatError::Corrupt)
        }
    }
}

/// Appends the checksum to a file.
pub fn with_checksum(mut file: Vec<u8>) -> Vec<u8> {
    file.extend(crc32fast::hash(&file).to_le_bytes());
    file
}

/// Appends a section to a file, preceded by its length (`u32`).
pub fn push_section(file: &mut Vec<u8>, part: &[u8]) {
    file.extend((part.len() as u32).to_le_bytes());
    file.extend(part);
}

/// Splits a length-prefixed section off the front of `bytes`. Returns the section and the rest;
/// `None` if `bytes` is too short.
pub fn take_section(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

/// Reads at most the first `bytes` bytes of a file: a device file may be endless.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn read_at_most(path: &Path, bytes: u64) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    File::open(path)?.take(bytes).read_to_end(&mut file)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format { name: "test", magic: *b"Manoury\x00", version: 3 };

    fn file() -> Vec<u8> {
        let mut file = FORMAT.header();
        push_section(&mut file, b"hello");
        with_checksum(file)
    }

    #[test]
    fn files_round_trip() {
        let file = file();
        let (body, checksum) = FORMAT.open(&file).unwrap();
        assert_eq!(take_section(body), Some((&b"hello"[..], &b""[..])));
        assert_eq!(checksum.to_le_bytes(), file[file.len() - CHECKSUM_SIZE..]);
    }

    #[test]
    fn detects_every_changed_byte() {
        let file = file();
        for place in 0..file.len() {
            let mut damaged = file.clone();
            damaged[place] ^= 1;
            let fault = FORMAT.open(&damaged).unwrap_err().to_string();
            let should = match place {
                0..8 => "not a Manoury test file",
                8..HEADER_SIZE => "format version",
                _ => "corrupt",
            };
            assert!(fault.starts_with(should), "byte {place}: {fault}");
            let is_foreign =
                matches!(FORMAT.open(&file[..place]), Err(FormatError::WrongFormat("test")));
            assert_eq!(is_foreign, place < HEADER_SIZE, "{place} bytes");
        }
    }

    #[test]
    fn rejects_sections_longer_than_the_file() {
        assert_eq!(take_section(&[3, 0, 0]), None);
        assert_eq!(take_section(&[3, 0, 0, 0, 1, 2]), None);
    }
}
