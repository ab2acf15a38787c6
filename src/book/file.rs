//! Files of books.
//!
//! ```text
//! magic    8 bytes: "Manoury" and 0x1c
//! version  u32: of the format, 1
//! length   u32: bytes of the text that follows
//! about    how the book came about: JSON, see `About`
//! entries  12 bytes for each position, sorted by their keys: see `Entry`
//! check    u32: the CRC-32 of all bytes before
//! ```
//!
//! Numbers are little-endian. The key of a position is that of `position::Key`; the first of all keys, that
//! of the start position, stands in `About`, so that a program with other keys does not misread a book.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::door::Position;
use crate::position::Key;
use crate::rules::Variant;
use crate::score::Score;
use crate::storage::{self, Format, FormatError, format, write_whole};

use super::{Book, Entry};

const FORMAT: Format = Format { name: "book", magic: *b"Manoury\x1c", version: 1 };
/// No file is larger, in bytes: twenty million positions.
const LARGEST: u64 = 256 << 20;

/// What a file says about its book.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct About {
    /// The name of the game.
    pub variant: String,
    /// The key of the start position.
    pub start: u64,
    /// The version of the program that has made it.
    pub program: String,
    /// The checksum of the weights that its searches were made with; `None` for those chosen by hand.
    pub weights: Option<u32>,
    /// How long each position was searched by the program that was last at work on it.
    pub effort: Effort,
    /// How many positions are expanded.
    pub expanded: u64,
}

/// How long a position is searched.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// For so many seconds.
    Seconds(f64),
    /// For so many nodes.
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

/// Why bytes are no book.
#[derive(Debug, thiserror::Error)]
pub enum BookProblem {
    /// The file cannot be read or written, is something else, of another version or damaged.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The book is for another game.
    #[error("a book for another game: {0}")]
    OtherVariant(String),
    /// Its keys are those of another program.
    #[error("a book with keys of another version of the program")]
    OtherKeys,
    /// It does not know all moves of a position that it should.
    #[error("corrupt: positions are missing")]
    Incomplete,
}

/// A file that cannot be used, and why.
pub type FileError = storage::FileError<BookProblem>;

impl Book {
    /// The book of a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no book for the game.
    pub fn open(variant: Variant, path: &Path) -> Result<Self, FileError> {
        let load = || format::read_at_most(path, LARGEST).map_err(FormatError::Io);
        let read = || Book::read(variant, Cow::Owned(load()?));
        read().map_err(|problem| FileError { path: path.to_owned(), problem })
    }

    /// The book that the bytes of a file stand for.
    ///
    /// # Errors
    ///
    /// See [`BookProblem`].
    pub fn read(variant: Variant, file: Cow<'static, [u8]>) -> Result<Self, BookProblem> {
        let (body, checksum) = FORMAT.open(&file)?;
        let (text, entries) = format::take_part(body).ok_or(FormatError::Corrupt)?;
        let about: About = serde_json::from_slice(text).map_err(|_| FormatError::Corrupt)?;
        about.check(variant)?;
        if !are_entries(entries) {
            return Err(FormatError::Corrupt.into());
        }
        let end = file.len() - format::CHECK;
        let begin = end - entries.len();
        let entries = match file {
            Cow::Borrowed(file) => Cow::Borrowed(&file[begin..end]),
            Cow::Owned(mut file) => {
                file.truncate(end);
                file.drain(..begin);
                Cow::Owned(file)
            }
        };
        Ok(Book { variant, about, entries, checksum })
    }

    /// Writes a book with entries that are sorted by their keys.
    ///
    /// # Errors
    ///
    /// The file cannot be written: whatever was there stays.
    pub fn write(path: &Path, about: &About, entries: &[Entry]) -> Result<(), FileError> {
        let write = || {
            let file = file_of(about, entries)?;
            write_whole(path, |output| output.write_all(&file))
        };
        match write() {
            Ok(_) => Ok(()),
            Err(error) => {
                Err(FileError { path: path.to_owned(), problem: FormatError::Io(error).into() })
            }
        }
    }
}

impl About {
    /// What can be told wrong for a game.
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

/// The bytes of a file.
fn file_of(about: &About, entries: &[Entry]) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(about)?;
    let mut file = FORMAT.start();
    format::push_part(&mut file, &text);
    file.extend(entries.iter().flat_map(|entry| entry.to_bytes()));
    Ok(format::seal(file))
}

/// Whether bytes are whole entries, each with a score and with a greater key than the one before.
fn are_entries(bytes: &[u8]) -> bool {
    let (entries, rest) = bytes.as_chunks();
    let is_score = |Score(score): Score| score.unsigned_abs() <= Score::WIN.0.unsigned_abs();
    rest.is_empty()
        && entries.is_sorted_by(|a, b| Entry::key_of(a) < Entry::key_of(b))
        && entries.iter().all(|bytes| is_score(Entry::of_bytes(bytes).score))
}
