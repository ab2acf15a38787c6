//! Files of networks.
//!
//! ```text
//! magic    8 bytes: "Manoury" and 0x1e
//! version  u32: of the format and of the features, 1
//! length   u32: bytes of the text that follows
//! about    how the network came about: JSON, see `About`
//! size     u32: bytes of the numbers, compressed
//! numbers  bias, output rows (each its weights, then the bias as i32), rows; compressed (deflate): the
//!          low bytes of all 16-bit words, then the high ones
//! check    u32: the CRC-32 of all bytes before
//! ```
//!
//! Numbers are little-endian.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use crate::rules::Rules;
use crate::storage;

use super::features::Features;
use super::{BUCKETS, Network, Output, Row, WIDTH};

/// The first bytes of every file.
const MAGIC: [u8; 8] = *b"Manoury\x1e";
/// The version of the format.
const VERSION: u32 = 1;
/// No file is larger, in bytes.
const LARGEST: u64 = 64 << 20;

/// What a file says about its network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct About {
    /// The name of the game.
    pub variant: String,
    /// What it sees of a position, and how wide it is, in words.
    pub features: String,
    /// The version of the program that has trained it.
    pub program: String,
    /// The commit of its sources, if it was told.
    pub commit: Option<String>,
    /// What it has learned from.
    pub data: Data,
    /// The settings of the training.
    pub training: serde_json::Value,
}

/// The positions that a network has learned from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Data {
    /// How many of them were learned from: nothing can be learned from some, and some are for validation.
    pub positions: u64,
    /// The CRC-32 of their files, one after the other in the order of their names.
    pub checksum: u32,
}

/// What is in a file.
#[derive(Debug)]
pub struct Contents<G: Features> {
    /// The network.
    pub network: Network<G>,
    /// How it came about.
    pub about: About,
    /// The checksum at the end.
    pub checksum: u32,
}

/// Why bytes are no network.
#[derive(Debug)]
pub enum Problem {
    /// The file cannot be read.
    Io(io::Error),
    /// They are something else.
    NoNetwork,
    /// They are of another version of the format.
    Version(u32),
    /// The network is for another game.
    OtherVariant(String),
    /// They are damaged.
    Corrupt,
    /// Its numbers are too large to be added up.
    TooLarge,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Io(error) => error.fmt(f),
            Problem::NoNetwork => f.write_str("no weights of Manoury"),
            Problem::Version(version) => {
                write!(f, "version {version} of the format, which should be {VERSION}")
            }
            Problem::OtherVariant(variant) => write!(f, "weights for another game: {variant}"),
            Problem::Corrupt => f.write_str("corrupt"),
            Problem::TooLarge => f.write_str("numbers that are too large"),
        }
    }
}

/// A file that cannot be used, and why.
pub type FileError = storage::FileError<Problem>;

/// Opens a file with a network for a game.
///
/// # Errors
///
/// The file cannot be read, or holds no such network.
pub fn open<R: Rules>(path: &Path) -> Result<Contents<R::Geometry>, FileError> {
    let open = || read(&load(path).map_err(Problem::Io)?, R::VARIANT.name());
    open().map_err(|problem| FileError { path: path.to_owned(), problem })
}

/// What is in a file, as far as any network goes: a device may have no end.
fn load(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytes of a file.
///
/// # Errors
///
/// None that a file in memory has.
pub fn write<G: Features>(network: &Network<G>, about: &About) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(about)?;
    let mut numbers: Vec<i16> = network.bias.0.to_vec();
    for output in &network.outputs {
        numbers.extend(output.weights.0);
        numbers.extend([output.bias as i16, (output.bias >> 16) as i16]);
    }
    numbers.extend(network.rows.iter().flat_map(|row| row.0));
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    for byte in 0..2 {
        let plane: Vec<u8> = numbers.iter().map(|number| number.to_le_bytes()[byte]).collect();
        encoder.write_all(&plane)?;
    }
    let compressed = encoder.finish()?;
    let mut file = MAGIC.to_vec();
    file.extend(VERSION.to_le_bytes());
    for part in [&text, &compressed] {
        file.extend((part.len() as u32).to_le_bytes());
        file.extend(part);
    }
    file.extend(crc32fast::hash(&file).to_le_bytes());
    Ok(file)
}

/// The network of a file for a game.
///
/// # Errors
///
/// See [`Problem`].
pub fn read<G: Features>(file: &[u8], variant: &str) -> Result<Contents<G>, Problem> {
    let rest = file.strip_prefix(&MAGIC).ok_or(Problem::NoNetwork)?;
    let (version, rest) = rest.split_first_chunk().ok_or(Problem::NoNetwork)?;
    match u32::from_le_bytes(*version) {
        VERSION => {}
        other => return Err(Problem::Version(other)),
    }
    let (text, rest) = part(rest).ok_or(Problem::Corrupt)?;
    let (compressed, check) = part(rest).ok_or(Problem::Corrupt)?;
    let body = &file[..file.len() - check.len()];
    let checksum = crc32fast::hash(body);
    if check != checksum.to_le_bytes() {
        return Err(Problem::Corrupt);
    }
    let about: About = serde_json::from_slice(text).map_err(|_| Problem::Corrupt)?;
    if about.variant != variant {
        return Err(Problem::OtherVariant(about.variant));
    }
    let numbers = numbers::<G>(compressed).ok_or(Problem::Corrupt)?;
    Ok(Contents { network: network(&numbers).ok_or(Problem::TooLarge)?, about, checksum })
}

/// Takes bytes with their length before them.
fn part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

/// Numbers of an output row.
const OUTPUT: usize = WIDTH + 2;

/// All numbers of a network; `None` if there are more or fewer.
fn numbers<G: Features>(compressed: &[u8]) -> Option<Vec<i16>> {
    let count = WIDTH + BUCKETS * OUTPUT + G::ROWS * WIDTH;
    let mut planes = Vec::with_capacity(2 * count);
    let most = 2 * count as u64 + 1;
    DeflateDecoder::new(compressed).take(most).read_to_end(&mut planes).ok()?;
    if planes.len() != 2 * count {
        return None;
    }
    let (low, high) = planes.split_at(count);
    Some(low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])).collect())
}

fn network<G: Features>(numbers: &[i16]) -> Option<Network<G>> {
    let row = |numbers: &[i16]| numbers.try_into().ok().map(Row);
    let (bias, rest) = numbers.split_at_checked(WIDTH)?;
    let (outputs, rows) = rest.split_at_checked(BUCKETS * OUTPUT)?;
    let output = |numbers: &[i16]| {
        let (weights, bias) = numbers.split_at_checked(WIDTH)?;
        let &[low, high] = bias else { return None };
        let bias = i32::from(high) << 16 | i32::from(low as u16);
        Some(Output { weights: row(weights)?, bias })
    };
    let outputs: Option<Vec<_>> = outputs.chunks(OUTPUT).map(output).collect();
    // Megabytes: each row is copied once.
    let (rows, []) = rows.as_chunks() else { return None };
    let rows: Vec<_> = rows.iter().map(|&weights| Row(weights)).collect();
    Network::new(&rows, row(bias)?, outputs?.try_into().ok()?)
}
