//! Book files.
//!
//! ```text
//! magic    8 bytes: "Manoury" and 0x1c
//! version  u32: the version of the format, 2
//! length   u32: the size of the text that follows, in bytes
//! about    the origin of the book: JSON, see `BookInfo`
//! planes   the entries, compressed with deflate
//! check    u32: the CRC-32 of all preceding bytes
//! ```
//!
//! Numbers are little-endian. The key of a position is its `position::Key`. `BookInfo` contains the
//! key of the start position, so that a program that computes different keys rejects the book.
//!
//! The entries are sorted by key, and each key is stored as the difference from the one before it.
//! The planes are the first byte of each entry (see `Entry`), then the second byte of each, and so
//! on: this makes the file a third smaller. In version 1, which can still be read, the entries are
//! stored one after the other, with whole keys and without compression.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use manoury_core::program_file;
use serde::{Deserialize, Serialize};

use crate::erased::Position;
use crate::position::Key;
use crate::rules::Variant;
use crate::score::Score;
use crate::storage::{self, Format, FormatError, format, write_atomically};

use super::{Book, Entry};

const FORMAT: Format = Format { name: "book", magic: *b"Manoury\x1c", version: 2 };
/// The format of files with uncompressed entries.
const OLD_FORMAT: Format = Format { version: 1, ..FORMAT };
/// Maximum size of a file and of its entries, in bytes: enough for twenty million positions.
const MAX_SIZE: u64 = 256 << 20;

/// The description of a book in its file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BookInfo {
    /// The name of the variant.
    pub variant: String,
    /// The key of the start position.
    pub start: u64,
    /// The version of the program that built the book.
    pub program: String,
    /// The checksum of the weights used for the searches; `None` for the hand-crafted weights.
    pub weights: Option<u32>,
    /// The search effort per position in the last run that extended the book.
    pub effort: Effort,
    /// The number of expanded positions.
    pub expanded: u64,
}

/// The search effort per position.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// The search time, in seconds.
    Seconds(f64),
    /// The number of nodes.
    Nodes(u64),
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Seconds(seconds) => write!(f, "{seconds} s"),
            Effort::Nodes(nodes) => write!(f, "{nodes} nodes"),
        }
    }
}

/// The problem with a book file.
#[derive(Debug, thiserror::Error)]
pub enum BookProblem {
    /// It cannot be read or written, has a different format or version, or is damaged.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// It is for another variant.
    #[error("a book for another variant: {0}")]
    OtherVariant(String),
    /// Its keys come from an incompatible version of the program.
    #[error("a book from an incompatible version of the program")]
    OtherKeys,
    /// A position that follows an expanded position is missing.
    #[error("corrupt: positions are missing")]
    Incomplete,
}

/// A book file that cannot be used, and the problem with it.
pub type FileError = storage::FileError<BookProblem>;

impl Book {
    /// Opens the book in a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not a book for the variant.
    pub fn open(variant: Variant, path: &Path) -> Result<Self, FileError> {
        let load = || format::read_at_most(path, MAX_SIZE).map_err(FormatError::Io);
        let read = || Book::read(variant, &load()?);
        read().map_err(|problem| FileError { path: path.to_owned(), problem })
    }

    /// Parses the contents of a book file.
    ///
    /// # Errors
    ///
    /// See [`BookProblem`].
    pub fn read(variant: Variant, file: &[u8]) -> Result<Self, BookProblem> {
        let opened = FORMAT.open(file);
        let is_old = matches!(opened, Err(FormatError::Version { is: 1, .. }));
        let (body, checksum) = if is_old { OLD_FORMAT.open(file)? } else { opened? };
        let (text, entries) = format::take_section(body).ok_or(FormatError::Corrupt)?;
        let about: BookInfo = serde_json::from_slice(text).map_err(|_| FormatError::Corrupt)?;
        about.check(variant)?;
        let entries = if is_old { Some(entries.to_vec()) } else { unpacked(entries) };
        let entries = entries.filter(|entries| are_entries(entries)).ok_or(FormatError::Corrupt)?;
        Ok(Book { variant, about, entries, checksum })
    }

    /// Writes a book atomically. `entries` must be sorted by key.
    ///
    /// # Errors
    ///
    /// The file cannot be written; any file at `path` is left unchanged.
    pub fn write(path: &Path, about: &BookInfo, entries: &[Entry]) -> Result<(), FileError> {
        let write = || {
            let file = file_of(about, entries)?;
            write_atomically(path, |output| output.write_all(&file))
        };
        match write() {
            Ok(_) => Ok(()),
            Err(error) => {
                Err(FileError { path: path.to_owned(), problem: FormatError::Io(error).into() })
            }
        }
    }
}

impl BookInfo {
    /// Checks that the book is for the given variant and uses the keys of this program.
    fn check(&self, variant: Variant) -> Result<(), BookProblem> {
        if self.variant != variant.name() {
            return Err(BookProblem::OtherVariant(self.variant.clone()));
        }
        if Key(self.start) != Position::start(variant).key() {
            return Err(BookProblem::OtherKeys);
        }
        Ok(())
    }
}

/// The bytes of a book file.
pub(super) fn file_of(about: &BookInfo, entries: &[Entry]) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(about)?;
    let mut file = FORMAT.header();
    format::push_section(&mut file, &text);
    let mut encoder = DeflateEncoder::new(file, Compression::best());
    encoder.write_all(&planes(entries))?;
    Ok(format::with_checksum(encoder.finish()?))
}

/// The planes of the entries, uncompressed.
fn planes(entries: &[Entry]) -> Vec<u8> {
    let before = std::iter::once(0).chain(entries.iter().map(|entry| entry.key.0));
    let differences = entries.iter().zip(before).map(|(entry, before)| {
        let key = Key(entry.key.0.wrapping_sub(before));
        Entry { key, ..*entry }.to_bytes()
    });
    let rows: Vec<_> = differences.collect();
    (0..Entry::BYTES).flat_map(|plane| rows.iter().map(move |row| row[plane])).collect()
}

/// The bytes of the entries whose compressed planes are given; `None` if those are damaged or too
/// long.
fn unpacked(compressed: &[u8]) -> Option<Vec<u8>> {
    let mut planes = Vec::new();
    DeflateDecoder::new(compressed).take(MAX_SIZE + 1).read_to_end(&mut planes).ok()?;
    let count = planes.len() / Entry::BYTES;
    if planes.len() != count * Entry::BYTES || planes.len() as u64 > MAX_SIZE {
        return None;
    }
    let mut key = Key(0);
    let entries = (0..count).flat_map(|number| {
        let row = std::array::from_fn(|plane| planes[plane * count + number]);
        let entry = Entry::from_bytes(&row);
        key = Key(key.0.wrapping_add(entry.key.0));
        Entry { key, ..entry }.to_bytes()
    });
    Some(entries.collect())
}

/// Whether the bytes are a sequence of complete entries with valid scores and strictly ascending
/// keys.
fn are_entries(bytes: &[u8]) -> bool {
    let (entries, rest) = bytes.as_chunks();
    let is_score = |Score(score): Score| score.unsigned_abs() <= Score::WIN.0.unsigned_abs();
    rest.is_empty()
        && entries.is_sorted_by(|a, b| Entry::key_of(a) < Entry::key_of(b))
        && entries.iter().all(|bytes| is_score(Entry::from_bytes(bytes).score))
}

/// The embedded book file of a variant. All embedded books were built by `manoury book build` from
/// the start position, without input games: 10,000 expanded positions for international draughts,
/// 1,000 for each of the other variants. The `.log` files next to them in `book/` record their
/// growth.
fn embedded_file(variant: Variant) -> Option<&'static [u8]> {
    Some(match variant {
        Variant::International => program_file!("../../book/international.book"),
        Variant::Breakthrough => program_file!("../../book/bt.book"),
        Variant::Losing => program_file!("../../book/losing.book"),
        Variant::Frisian => program_file!("../../book/frisian.book"),
        Variant::Brazilian => program_file!("../../book/brazilian.book"),
        Variant::Russian => program_file!("../../book/russian.book"),
        Variant::English => program_file!("../../book/english.book"),
        Variant::Italian => program_file!("../../book/italian.book"),
        Variant::Spanish => program_file!("../../book/spanish.book"),
        Variant::German => program_file!("../../book/german.book"),
        Variant::Pool => program_file!("../../book/pool.book"),
        Variant::Canadian => program_file!("../../book/canadian.book"),
        _ => return None,
    })
}

impl Book {
    /// The embedded book of a variant; `None` if there is none.
    pub fn embedded(variant: Variant) -> Option<Self> {
        Book::read(variant, embedded_file(variant)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Graph;

    fn is_usable(variant: Variant) -> bool {
        let Some(book) = Book::embedded(variant) else { return false };
        let graph = Graph::from_book(&book).unwrap();
        assert_eq!((graph.len(), graph.expanded() as u64), (book.len(), book.about().expanded));
        !book.moves(&Position::start(variant)).is_empty()
    }

    #[test]
    fn embedded_books_can_be_read() {
        for &variant in Variant::ALL {
            assert_eq!(is_usable(variant), embedded_file(variant).is_some(), "{variant:?}");
        }
    }
}
