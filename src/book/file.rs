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
use std::fs::File;
use std::io::{self, Read};
use std::marker::PhantomData;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::position::{Key, Position};
use crate::rules::Rules;
use crate::score::Score;
use crate::storage::{self, write_whole};

use super::{Book, Entry};

/// The first bytes of every file.
const MAGIC: [u8; 8] = *b"Manoury\x1c";
/// The version of the format.
const VERSION: u32 = 1;
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
#[derive(Debug)]
pub enum Problem {
    /// The file cannot be read or written.
    Io(io::Error),
    /// They are something else.
    NoBook,
    /// They are of another version of the format.
    Version(u32),
    /// The book is for another game.
    OtherVariant(String),
    /// Its keys are those of another program.
    OtherKeys,
    /// They are damaged.
    Corrupt,
    /// It does not know all moves of a position that it should.
    Incomplete,
}

/// A file that cannot be used, and why.
pub type FileError = storage::FileError<Problem>;

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Io(error) => error.fmt(f),
            Problem::NoBook => f.write_str("no book of Manoury"),
            Problem::Version(version) => {
                write!(f, "version {version} of the format, which should be {VERSION}")
            }
            Problem::OtherVariant(variant) => write!(f, "a book for another game: {variant}"),
            Problem::OtherKeys => f.write_str("a book with keys of another version of the program"),
            Problem::Corrupt => f.write_str("corrupt"),
            Problem::Incomplete => f.write_str("corrupt: positions are missing"),
        }
    }
}

impl<R: Rules> Book<R> {
    /// The book of a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is no book for the game.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let read = || Book::read(Cow::Owned(load(path).map_err(Problem::Io)?));
        read().map_err(|problem| FileError { path: path.to_owned(), problem })
    }

    /// The book that the bytes of a file stand for.
    ///
    /// # Errors
    ///
    /// See [`Problem`].
    pub fn read(file: Cow<'static, [u8]>) -> Result<Self, Problem> {
        let rest = file.strip_prefix(&MAGIC).ok_or(Problem::NoBook)?;
        let (&version, rest) = rest.split_first_chunk().ok_or(Problem::NoBook)?;
        match u32::from_le_bytes(version) {
            VERSION => {}
            other => return Err(Problem::Version(other)),
        }
        let (body, &check) = file.split_last_chunk().ok_or(Problem::Corrupt)?;
        let checksum = crc32fast::hash(body);
        if check != checksum.to_le_bytes() {
            return Err(Problem::Corrupt);
        }
        let (&length, rest) = rest.split_first_chunk().ok_or(Problem::Corrupt)?;
        let length = u32::from_le_bytes(length) as usize;
        let text = rest.get(..length).ok_or(Problem::Corrupt)?;
        let about: About = serde_json::from_slice(text).map_err(|_| Problem::Corrupt)?;
        about.check::<R>()?;
        let begin = file.len() - rest.len() + length;
        let end = body.len();
        if begin > end || !are_entries(&file[begin..end]) {
            return Err(Problem::Corrupt);
        }
        let entries = match file {
            Cow::Borrowed(file) => Cow::Borrowed(&file[begin..end]),
            Cow::Owned(mut file) => {
                file.truncate(end);
                file.drain(..begin);
                Cow::Owned(file)
            }
        };
        Ok(Book { about, entries, checksum, rules: PhantomData })
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
            Err(error) => Err(FileError { path: path.to_owned(), problem: Problem::Io(error) }),
        }
    }
}

impl About {
    /// What can be told wrong for a game.
    fn check<R: Rules>(&self) -> Result<(), Problem> {
        if self.variant != R::VARIANT.name() {
            return Err(Problem::OtherVariant(self.variant.clone()));
        }
        if Key(self.start) != Position::<R>::start().key() {
            return Err(Problem::OtherKeys);
        }
        Ok(())
    }
}

/// What is in a file, as far as any book goes: a device may have no end.
fn load(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytes of a file.
fn file_of(about: &About, entries: &[Entry]) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(about)?;
    let mut file = MAGIC.to_vec();
    file.extend(VERSION.to_le_bytes());
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(text);
    file.extend(entries.iter().flat_map(|entry| entry.to_bytes()));
    file.extend(crc32fast::hash(&file).to_le_bytes());
    Ok(file)
}

/// Whether bytes are whole entries, each with a score and with a greater key than the one before.
fn are_entries(bytes: &[u8]) -> bool {
    let (entries, rest) = bytes.as_chunks();
    let is_score = |Score(score): Score| score.unsigned_abs() <= Score::WIN.0.unsigned_abs();
    rest.is_empty()
        && entries.is_sorted_by(|a, b| Entry::key_of(a) < Entry::key_of(b))
        && entries.iter().all(|bytes| is_score(Entry::of_bytes(bytes).score))
}
