//! Samples: positions with the results of their searches, for training an evaluation.
//!
//! A file of samples:
//!
//! ```text
//! magic    8 bytes: "Manoury" and 0x1d
//! version  u32: of the format, 1
//! length   u32: bytes of the text that follows
//! about    the contents of the file: JSON, see `SamplesHeader`
//! check    u32: the CRC-32 of that text
//! blocks   any number of them, to the end of the file
//! ```
//!
//! A file of games has a block for each game: its positions in order, those of a digression at the
//! point where it leaves the game. In a file of shuffled samples the boundaries of blocks mean
//! nothing. A block:
//!
//! ```text
//! count    u32: number of samples
//! samples  as described at `Sample`, all of the same size
//! check    u32: the CRC-32 of count and samples
//! ```
//!
//! Numbers are little-endian. Each block is appended by a single write, so a program that is killed
//! leaves at most one incomplete block, at the end of the file. Readers ignore it.

mod error;
mod file;
mod header;
mod sample;

pub use error::{DataError, DataProblem};
pub use file::{SampleReader, SampleWriter};
pub use header::{Origin, RelabelShares, Relabelling, SamplesHeader, Source, Split};
pub use sample::Sample;
