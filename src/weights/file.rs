//! Weights files: networks on disk.
//!
//! ```text
//! magic    8 bytes: "Manoury" and 0x1e
//! version  u32: of the format and of the features, 2
//! length   u32: bytes of the text that follows
//! about    where the network comes from: JSON, see `WeightsAbout`
//! size     u32: bytes of the compressed numbers
//! numbers  bias, output rows (each its weights, then the bias as i32), the first numbers of all
//!          rows, their second numbers and so on; deflated: the low bytes of all 16-bit words, then
//!          the high ones
//! check    u32: CRC-32 of all bytes before
//! ```
//!
//! All numbers are little-endian. Version 1 had the rows one after another; numbers of the same
//! place in a row are more alike, which makes the file 5 % smaller.

use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use crate::door::any_rules;
use crate::eval::network::features::Shape;
use crate::eval::network::{BUCKETS, Network, Output, Row, WIDTH};
use crate::rules::Variant;
use crate::storage::{FileError, Format, FormatError, format};

/// The version covers the features too.
const FORMAT: Format = Format { name: "weights", magic: *b"Manoury\x1e", version: 2 };
/// The largest file accepted, in bytes.
const LARGEST: u64 = 64 << 20;

/// The description of a network in its file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WeightsAbout {
    /// The name of the game.
    pub variant: String,
    /// The features it uses and its width, in words.
    pub features: String,
    /// The version of the program that trained it.
    pub program: String,
    /// The commit of that program's sources, if known.
    pub commit: Option<String>,
    /// The training data.
    pub data: TrainingData,
    /// The training settings.
    pub training: serde_json::Value,
}

/// The positions a network was trained on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TrainingData {
    /// Positions trained on, without those that teach nothing and the validation set.
    pub positions: u64,
    /// CRC-32 of their files, concatenated in the order of their names.
    pub checksum: u32,
}

/// The contents of a file.
#[derive(Debug)]
pub struct WeightsFile {
    /// The network.
    pub network: Network,
    /// Where it comes from.
    pub about: WeightsAbout,
    /// The checksum at the end of the file.
    pub checksum: u32,
}

/// Why bytes are not a usable network.
#[derive(Debug, thiserror::Error)]
pub enum WeightsProblem {
    /// The file cannot be read, is of another kind or version, or is damaged.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The network is for another game.
    #[error("weights for another game: {0}")]
    OtherVariant(String),
    /// The weights are too large to sum without overflow, or there is no memory for them.
    #[error("numbers that are too large")]
    TooLarge,
}

/// A file that cannot be used, with the reason.
pub type WeightsError = FileError<WeightsProblem>;

/// Loads a network for a game.
///
/// # Errors
///
/// The file cannot be read, or holds no such network.
pub fn open(path: &Path, variant: Variant) -> Result<WeightsFile, WeightsError> {
    let load = || format::read_at_most(path, LARGEST).map_err(FormatError::Io);
    let open = || read(&load()?, variant);
    open().map_err(|problem| FileError { path: path.to_owned(), problem })
}

/// Serializes a network to the bytes of a file.
///
/// # Errors
///
/// Writing to memory does not fail in practice.
pub fn write(network: &Network, about: &WeightsAbout) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(about)?;
    let mut numbers: Vec<i16> = network.bias().0.to_vec();
    for output in network.outputs() {
        numbers.extend(output.weights.0);
        numbers.extend([output.bias as i16, (output.bias >> 16) as i16]);
    }
    let place = |place: usize| network.rows().iter().map(move |row| row.0[place]);
    numbers.extend((0..WIDTH).flat_map(place));
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    for byte in 0..2 {
        let plane: Vec<u8> = numbers.iter().map(|number| number.to_le_bytes()[byte]).collect();
        encoder.write_all(&plane)?;
    }
    let compressed = encoder.finish()?;
    let mut file = FORMAT.start();
    for part in [&text, &compressed] {
        format::push_part(&mut file, part);
    }
    Ok(format::seal(file))
}

/// Parses a file's network for a game.
///
/// # Errors
///
/// See [`WeightsProblem`].
pub fn read(file: &[u8], variant: Variant) -> Result<WeightsFile, WeightsProblem> {
    let (body, checksum) = FORMAT.open(file)?;
    let (text, rest) = format::take_part(body).ok_or(FormatError::Corrupt)?;
    let (compressed, []) = format::take_part(rest).ok_or(FormatError::Corrupt)? else {
        return Err(FormatError::Corrupt.into());
    };
    let about: WeightsAbout = serde_json::from_slice(text).map_err(|_| FormatError::Corrupt)?;
    if about.variant != variant.name() {
        return Err(WeightsProblem::OtherVariant(about.variant));
    }
    let shape = any_rules(variant).shape();
    let numbers = numbers(compressed, shape).ok_or(FormatError::Corrupt)?;
    Ok(WeightsFile {
        network: network(&numbers, shape).ok_or(WeightsProblem::TooLarge)?,
        about,
        checksum,
    })
}

/// 16-bit words of an output row: the weights, then the bias as two.
const OUTPUT: usize = WIDTH + 2;

/// All numbers of a network; `None` if there are too many or too few.
fn numbers(compressed: &[u8], shape: Shape) -> Option<Vec<i16>> {
    let count = WIDTH + BUCKETS * OUTPUT + shape.rows() * WIDTH;
    let mut planes = Vec::with_capacity(2 * count);
    let most = 2 * count as u64 + 1;
    DeflateDecoder::new(compressed).take(most).read_to_end(&mut planes).ok()?;
    if planes.len() != 2 * count {
        return None;
    }
    let (low, high) = planes.split_at(count);
    Some(low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])).collect())
}

fn network(numbers: &[i16], shape: Shape) -> Option<Network> {
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
    if !rows.len().is_multiple_of(WIDTH) {
        return None;
    }
    let count = rows.len() / WIDTH;
    let row_at = |index: usize| Row(std::array::from_fn(|place| rows[place * count + index]));
    let rows: Vec<_> = (0..count).map(row_at).collect();
    Network::new(shape, &rows, row(bias)?, outputs?.try_into().ok()?)
}
