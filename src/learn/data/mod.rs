//! Samples: positions with their search results, for training an evaluation.
//!
//! A sample file:
//!
//! ```text
//! magic    8 bytes: "Manoury" and 0x1d
//! version  u32: format version, 1
//! length   u32: length of the following text, in bytes
//! about    the contents of the file: JSON, see `SamplesHeader`
//! check    u32: the CRC-32 of that text
//! blocks   any number of blocks, to the end of the file
//! ```
//!
//! A file of games has one block per game, with the positions of the game in order. The positions
//! of a digression are inserted at the point where the digression leaves the game. In a file of
//! shuffled samples, block boundaries have no meaning. A block:
//!
//! ```text
//! count    u32: number of samples
//! samples  as described at `Sample`, all of the same size
//! check    u32: the CRC-32 of count and samples
//! ```
//!
//! Numbers are little-endian. Each block is appended with a single write, so a killed program
//! leaves at most one incomplete block, at the end of the file. Readers ignore an incomplete block.

mod error;
mod file;
mod header;
mod sample;

pub use error::{DataError, DataProblem};
pub use file::{SampleReader, SampleWriter};
pub use header::{Origin, RelabelShares, Relabelling, SamplesHeader, Source, Split};
pub use sample::Sample;
