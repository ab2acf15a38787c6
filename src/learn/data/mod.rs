//! Positions with what a search has found out about them: what an evaluation is learned from.
//!
//! A file of them:
//!
//! ```text
//! magic    8 bytes: "Manoury" and 0x1d
//! version  u32: of the format, 1
//! length   u32: bytes of the text that follows
//! about    what the file is about: JSON, see `About`
//! check    u32: the CRC-32 of that text
//! blocks   any number of them, to the end of the file
//! ```
//!
//! A block holds the positions of one game in their order, those of a digression where it leaves the game;
//! or in a file of shuffled positions just many of them:
//!
//! ```text
//! count    u32: how many positions
//! samples  each as in `Sample`, all of the same size
//! check    u32: the CRC-32 of count and samples
//! ```
//!
//! Numbers are little-endian. A block is appended at once; a program that is killed leaves at most one
//! that breaks off at the end of the file, and nobody misses it.

mod about;
mod error;
mod reader;
mod sample;
mod writer;

pub use about::{About, Origin, Set};
pub use error::{DataError, Problem};
pub use reader::Reader;
pub use sample::Sample;
pub use writer::Writer;

/// The first bytes of every file.
const MAGIC: [u8; 8] = *b"Manoury\x1d";
/// The version of the format.
const VERSION: u32 = 1;
/// The longest text about a file, in bytes.
const MOST_TEXT: u32 = 1 << 16;
/// The most samples in a block.
const MOST_SAMPLES: u32 = 1 << 16;
