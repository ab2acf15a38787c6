//! Weights files: networks on disk.
//!
//! ```text
//! magic    8 bytes: "Manoury" and 0x1e
//! version  u32: of the format and of the features, 4
//! length   u32: bytes of the text that follows
//! about    the origin of the network: JSON, see `WeightsInfo`
//! size     u32: bytes of the compressed numbers
//! numbers  the planes of `FactorizedNetwork`, as a deflate stream; in older files the first plane
//!          is only stored, which takes twice the room and half the time to read. If the text names
//!          a base, the rows are differences from those of that network
//! check    u32: CRC-32 of all preceding bytes
//! ```
//!
//! All numbers are little-endian. Versions 1 and 2 contained all rows of the network; version 3 had
//! a fixed width of 32 and finer units.

use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use crate::eval::Evaluation;
use crate::eval::network::FactorizedNetwork;
use crate::eval::network::features::FeatureShape;
use crate::rules::Variant;
use crate::storage::{FileError, Format, FormatError, format};

use super::embedded_file;

/// The format of weights files. Its version also covers the features of the network.
const FORMAT: Format = Format { name: "weights", magic: *b"Manoury\x1e", version: 4 };
/// The largest file accepted, in bytes.
const LARGEST: u64 = 64 << 20;

/// The description of a network in its file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WeightsInfo {
    /// The name of the variant.
    pub variant: String,
    /// A description of the features and the width, as text.
    pub features: String,
    /// The version of the program that trained it.
    pub program: String,
    /// The source commit of that program, if known.
    pub commit: Option<String>,
    /// The training data.
    pub data: TrainingData,
    /// The training settings.
    pub training: serde_json::Value,
    /// If the rows are stored as differences: the checksum of the embedded weights file to whose
    /// rows they are added. It is the file of international draughts for killer and breakthrough,
    /// and of Frisian draughts for Frysk!
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<u32>,
}

/// The positions a network was trained on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TrainingData {
    /// The number of training positions, excluding positions that were filtered out and the
    /// validation set.
    pub positions: u64,
    /// CRC-32 of the data files, concatenated in the order of their names.
    pub checksum: u32,
}

/// The contents of a file.
#[derive(Debug)]
pub struct WeightsFile {
    /// The network in its stored form.
    pub parts: FactorizedNetwork,
    /// The description of the network.
    pub about: WeightsInfo,
    /// The checksum at the end of the file.
    pub checksum: u32,
}

/// Why a file is not a usable network.
#[derive(Debug, thiserror::Error)]
pub enum WeightsProblem {
    /// The file cannot be read, has a different format or version, or is damaged.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The network is for another variant.
    #[error("weights for another variant: {0}")]
    OtherVariant(String),
    /// The weights are too large to be summed without overflow, or there is not enough memory for
    /// them.
    #[error("weights that are too large")]
    TooLarge,
    /// The file contains differences from a network that is not embedded.
    #[error("weights based on a network that this program does not contain")]
    OtherBase,
}

/// A weights file that cannot be used, and the reason.
pub type WeightsError = FileError<WeightsProblem>;

/// Loads the evaluation for a variant.
///
/// # Errors
///
/// The file cannot be read, or does not contain a network for the variant.
pub fn open(path: &Path, variant: Variant) -> Result<Evaluation, WeightsError> {
    read_file(path, |file| read(file, variant))
}

/// Loads the network for a variant in its stored form.
///
/// # Errors
///
/// The file cannot be read, or does not contain a network for the variant.
pub fn load(path: &Path, variant: Variant) -> Result<WeightsFile, WeightsError> {
    read_file(path, |file| parse(file, variant))
}

/// Reads a file and parses its bytes.
fn read_file<T>(
    path: &Path,
    read: impl FnOnce(&[u8]) -> Result<T, WeightsProblem>,
) -> Result<T, WeightsError> {
    let bytes = format::read_at_most(path, LARGEST).map_err(FormatError::Io);
    let contents = bytes.map_err(WeightsProblem::from).and_then(|bytes| read(&bytes));
    contents.map_err(|problem| FileError { path: path.to_owned(), problem })
}

/// Loads the evaluation for a variant from the bytes of a file.
///
/// # Errors
///
/// See [`WeightsProblem`].
pub fn read(file: &[u8], variant: Variant) -> Result<Evaluation, WeightsProblem> {
    let WeightsFile { parts, checksum, .. } = parse(file, variant)?;
    let network = parts.network().ok_or(WeightsProblem::TooLarge)?;
    Ok(Evaluation::from_network(network, checksum))
}

/// Serializes a network to the bytes of a file.
///
/// # Errors
///
/// Writing to memory does not fail in practice.
pub fn write(parts: &FactorizedNetwork, about: &WeightsInfo) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(about)?;
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    parts.planes().iter().try_for_each(|plane| encoder.write_all(plane))?;
    let compressed = encoder.finish()?;
    let mut file = FORMAT.header();
    for part in [&text, &compressed] {
        format::push_section(&mut file, part);
    }
    Ok(format::with_checksum(file))
}

/// Parses a weights file for a variant.
///
/// # Errors
///
/// See [`WeightsProblem`].
pub fn parse(file: &[u8], variant: Variant) -> Result<WeightsFile, WeightsProblem> {
    let (body, checksum) = FORMAT.open(file)?;
    let (text, rest) = format::take_section(body).ok_or(FormatError::Corrupt)?;
    let (compressed, []) = format::take_section(rest).ok_or(FormatError::Corrupt)? else {
        return Err(FormatError::Corrupt.into());
    };
    let about: WeightsInfo = serde_json::from_slice(text).map_err(|_| FormatError::Corrupt)?;
    if about.variant != variant.name() && about.variant != base_variant(variant).name() {
        return Err(WeightsProblem::OtherVariant(about.variant));
    }
    let shape = variant.feature_shape();
    let planes = inflate(compressed, shape).ok_or(FormatError::Corrupt)?;
    let parts = FactorizedNetwork::from_planes(&planes, shape).ok_or(FormatError::Corrupt)?;
    let Some(wanted) = about.base else {
        return Ok(WeightsFile { parts, about, checksum });
    };
    let base = base_file(variant)?;
    if base.checksum != wanted {
        return Err(WeightsProblem::OtherBase);
    }
    Ok(WeightsFile { parts: parts.plus_rows(&base.parts), about, checksum })
}

/// The embedded weights file of the base variant of `variant`.
fn base_file(variant: Variant) -> Result<WeightsFile, WeightsProblem> {
    match base_variant(variant) {
        base if base == variant => Err(WeightsProblem::OtherBase),
        base => parse(embedded_file(base), base),
    }
}

/// Serializes a network as differences from the embedded network of the base variant, which makes
/// the file a third as large if training started from that network.
///
/// # Errors
///
/// The variant has no base variant.
pub fn write_differences(file: WeightsFile, variant: Variant) -> Result<Vec<u8>, WeightsProblem> {
    let base = base_file(variant)?;
    let about = WeightsInfo { base: Some(base.checksum), ..file.about };
    Ok(write(&file.parts.minus_rows(&base.parts), &about).map_err(FormatError::Io)?)
}

/// The variant whose networks the given variant can also use, for play and as a starting point for
/// training, since both have the same board and the same moves of men.
pub(super) fn base_variant(variant: Variant) -> Variant {
    match variant {
        Variant::Killer | Variant::Breakthrough => Variant::International,
        Variant::Frysk => Variant::Frisian,
        other => other,
    }
}

/// Decompresses both planes of numbers in a file. Returns `None` if they are damaged or longer than
/// those of any network for the board.
fn inflate(compressed: &[u8], shape: FeatureShape) -> Option<Vec<u8>> {
    let most = 2 * FactorizedNetwork::max_words(shape);
    let mut planes = Vec::new();
    DeflateDecoder::new(compressed).take(most as u64 + 1).read_to_end(&mut planes).ok()?;
    (planes.len() <= most).then_some(planes)
}
