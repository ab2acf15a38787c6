//! Weights files: networks on disk.
//!
//! ```text
//! magic    8 bytes: "Manoury" and 0x1e
//! version  u32: of the format and of the features, 4
//! length   u32: bytes of the text that follows
//! about    where the network comes from: JSON, see `WeightsInfo`
//! size     u32: bytes of the compressed numbers
//! numbers  16-bit words, as a deflate stream: all low bytes, stored, then all high bytes
//! check    u32: CRC-32 of all preceding bytes
//! ```
//!
//! The words are, in this order:
//!
//! - the width, that is, how many numbers are stored per row (the rest of each row is 0), plus 256
//!   if the network has margins
//! - the bias
//! - the output rows, each followed by its bias as two words, low and high
//! - the output rows of the margins, if there are any
//! - the rows of the halves
//! - a bit set of the features that have a specific row (see `FactorizedNetwork`), 16 bits per word
//! - the specific rows
//!
//! The rows of the halves and the specific rows are stored transposed: the first number of every
//! row, then the second number of every row, and so on, since numbers at the same place are
//! similar. Signed numbers use zigzag encoding, so that most high bytes are 0: `n` is stored as
//! `2n`, or as `-2n - 1` if it is negative.
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
use crate::eval::network::features::{FeatureShape, HALF_STATES, STATES, halves};
use crate::eval::network::{BUCKETS, LEADS, Network, Output, PackedRow, Row, WIDTH};
use crate::rules::Variant;
use crate::storage::{FileError, Format, FormatError, format};

/// The format of weights files. Its version also covers the features of the network.
const FORMAT: Format = Format { name: "weights", magic: *b"Manoury\x1e", version: 4 };
/// The largest file accepted, in bytes.
const LARGEST: u64 = 64 << 20;
/// Added to the stored width of networks with margins.
const HAS_MARGINS: usize = 1 << 8;

/// The description of a network in its file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WeightsInfo {
    /// The name of the game.
    pub variant: String,
    /// A textual description of the features and the width.
    pub features: String,
    /// The version of the program that trained it.
    pub program: String,
    /// The commit of the sources of that program, if known.
    pub commit: Option<String>,
    /// The training data.
    pub data: TrainingData,
    /// The training settings.
    pub training: serde_json::Value,
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

/// Loads the evaluation of a game.
///
/// # Errors
///
/// The file cannot be read, or holds no network for the game.
pub fn open(path: &Path, variant: Variant) -> Result<Evaluation, WeightsError> {
    read_file(path, |file| read(file, variant))
}

/// Loads the network of a game in its stored form.
///
/// # Errors
///
/// The file cannot be read, or holds no network for the game.
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

/// Loads the evaluation of a game from the bytes of a file.
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
    let words = words(parts);
    let plane =
        |byte: usize| words.iter().map(|word| word.to_le_bytes()[byte]).collect::<Vec<u8>>();
    let mut encoder = DeflateEncoder::new(stored(&plane(0)), Compression::best());
    encoder.write_all(&plane(1))?;
    let compressed = encoder.finish()?;
    let mut file = FORMAT.header();
    for part in [&text, &compressed] {
        format::push_section(&mut file, part);
    }
    Ok(format::with_checksum(file))
}

/// Encodes bytes as stored deflate blocks (RFC 1951, 3.2.4), none of them marked as the last. The
/// low bytes would compress by less than half, and inflating them would take most of the startup
/// time.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let block = |bytes: &[u8]| {
        let length = bytes.len() as u16;
        let head = [[0].as_slice(), &length.to_le_bytes(), &(!length).to_le_bytes()].concat();
        [&head, bytes].concat()
    };
    bytes.chunks(u16::MAX.into()).flat_map(block).collect()
}

/// The 16-bit words that store a network.
fn words(parts: &FactorizedNetwork) -> Vec<u16> {
    let places = 0..parts.width;
    let row = |row: &Row| row.0[places.clone()].iter().copied().map(unsigned).collect::<Vec<_>>();
    let mark = if parts.margins.is_some() { HAS_MARGINS } else { 0 };
    let mut words = vec![(parts.width + mark) as u16];
    words.extend(row(&parts.bias));
    for output in parts.outputs.iter().chain(parts.margins.iter().flatten()) {
        words.extend(row(&output.weights));
        words.extend([output.bias as u16, (output.bias >> 16) as u16]);
    }
    let by_place = |rows: &[Row]| -> Vec<u16> {
        let at = |place: usize| rows.iter().map(move |row| unsigned(row.0[place]));
        places.clone().flat_map(at).collect()
    };
    words.extend(by_place(&parts.halves));
    let mut is_stored = vec![0; parts.shape.rows().div_ceil(SET_WORD_BITS)];
    parts
        .own_indexes
        .iter()
        .for_each(|owner| is_stored[owner / SET_WORD_BITS] |= 1 << (owner % SET_WORD_BITS));
    words.extend(is_stored);
    words.extend(by_place(&parts.own));
    words
}

/// The zigzag encoding of a signed number.
fn unsigned(number: i16) -> u16 {
    (number << 1 ^ number >> 15) as u16
}

/// Decodes a zigzag-encoded number.
fn signed(word: u16) -> i16 {
    (word >> 1) as i16 ^ -((word & 1) as i16)
}

/// Parses a file for a game.
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
    let words = inflate(compressed, shape).ok_or(FormatError::Corrupt)?;
    let parts = Words::parts(&words, shape).ok_or(FormatError::Corrupt)?;
    Ok(WeightsFile { parts, about, checksum })
}

/// The game whose networks this game can also use, for play and as a starting point for training,
/// since men move alike in both games, on the same board.
pub(super) fn base_variant(variant: Variant) -> Variant {
    match variant {
        Variant::Killer | Variant::Breakthrough => Variant::International,
        Variant::Frysk => Variant::Frisian,
        other => other,
    }
}

/// The number of bits in a word of a bit set.
const SET_WORD_BITS: usize = u16::BITS as usize;

/// Inflates the words of a file. Returns `None` if they are damaged, or if there are more of them
/// than a network for the board can have.
fn inflate(compressed: &[u8], shape: FeatureShape) -> Option<Vec<u16>> {
    let rows = 1 + 2 * BUCKETS * 2 + shape.halves() + shape.rows();
    let most = 1 + rows * WIDTH + shape.rows().div_ceil(SET_WORD_BITS);
    let mut planes = Vec::new();
    DeflateDecoder::new(compressed).take(2 * most as u64 + 1).read_to_end(&mut planes).ok()?;
    let (low, high) = planes.split_at(planes.len() / 2);
    if low.len() != high.len() || low.len() > most {
        return None;
    }
    Some(low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high])).collect())
}

/// The words not yet read. Each method returns `None` if too few are left.
struct Words<'a> {
    rest: &'a [u16],
    width: usize,
}

impl<'a> Words<'a> {
    /// Reads all parts of a network. Also returns `None` if words are left over or the width is
    /// invalid.
    fn parts(words: &'a [u16], shape: FeatureShape) -> Option<FactorizedNetwork> {
        let (&width, rest) = words.split_first()?;
        let (width, has_margins) =
            (usize::from(width) % HAS_MARGINS, usize::from(width) / HAS_MARGINS);
        if !(LEADS..=WIDTH).contains(&width) || has_margins > 1 {
            return None;
        }
        let mut words = Words { rest, width };
        let bias = words.row()?;
        let outputs = words.outputs()?;
        let margins = if has_margins == 1 { Some(words.outputs()?) } else { None };
        let halves = words.rows(shape.halves())?;
        let own_indexes = words.set(shape.rows())?;
        let own = words.rows(own_indexes.len())?;
        let parts =
            FactorizedNetwork { shape, width, bias, outputs, margins, halves, own_indexes, own };
        words.rest.is_empty().then_some(parts)
    }

    fn take(&mut self, count: usize) -> Option<&'a [u16]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn row(&mut self) -> Option<Row> {
        self.rows(1)?.pop()
    }

    fn outputs(&mut self) -> Option<[Output; BUCKETS]> {
        let outputs: Option<Vec<_>> = (0..BUCKETS).map(|_| self.output()).collect();
        outputs?.try_into().ok()
    }

    fn output(&mut self) -> Option<Output> {
        let weights = self.row()?;
        let &[low, high] = self.take(2)? else { return None };
        Some(Output { weights, bias: i32::from(high as i16) << 16 | i32::from(low) })
    }

    /// Reads rows that are stored transposed: the first number of every row, then the second number
    /// of every row, and so on.
    fn rows(&mut self, count: usize) -> Option<Vec<Row>> {
        let numbers = self.take(count * self.width)?;
        let mut rows = vec![Row::ZERO; count];
        for (place, numbers) in numbers.chunks_exact(count.max(1)).enumerate() {
            rows.iter_mut().zip(numbers).for_each(|(row, &word)| row.0[place] = signed(word));
        }
        Some(rows)
    }

    /// A bit set of indexes below `count`.
    fn set(&mut self, count: usize) -> Option<Vec<usize>> {
        let words = self.take(count.div_ceil(SET_WORD_BITS))?;
        let has =
            |number: usize| words[number / SET_WORD_BITS] >> (number % SET_WORD_BITS) & 1 != 0;
        let spare = (count..words.len() * SET_WORD_BITS).any(has);
        (!spare).then(|| (0..count).filter(|&number| has(number)).collect())
    }
}

/// A network in its stored form. The row for a state of a window is the sum of the rows of its two
/// halves and a row specific to the state. Nine in ten states never occur in training and have no
/// specific row, so this form is several times smaller than the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactorizedNetwork {
    /// The features for the board of the game.
    pub shape: FeatureShape,
    /// How many numbers are stored per row, leads first. The rest of each row is 0.
    pub width: usize,
    /// The row that every sum starts from.
    pub bias: Row,
    /// The output rows, one for each range of piece counts.
    pub outputs: [Output; BUCKETS],
    /// The output rows for the margin, the lead that wins half of the games, if it was learned.
    pub margins: Option<[Output; BUCKETS]>,
    /// For each window, the rows for the states of its lower half, then those for its upper half.
    pub halves: Vec<Row>,
    /// The ascending indexes of the window states and kings that have a specific row. For all
    /// others, the specific row is 0.
    pub own_indexes: Vec<usize>,
    /// The specific rows, in the order of `own_indexes`.
    pub own: Vec<Row>,
}

impl FactorizedNetwork {
    /// Computes the full network, clamping each number to the range of the type that stores it.
    /// Returns `None` if a part has the wrong size or memory runs out.
    pub fn network(&self) -> Option<Network> {
        if self.halves.len() != self.shape.halves() {
            return None;
        }
        let mut rows = Network::allocate_rows(self.shape)?;
        let mut own = self.own_indexes.iter().zip(&self.own).peekable();
        for (index, row) in rows.iter_mut().enumerate() {
            let own = own.next_if(|(owner, _)| **owner == index).map_or(&Row::ZERO, |(_, own)| own);
            let [lower, upper] = self.halves_of(index).unwrap_or([&Row::ZERO; 2]);
            let part = |row: &Row, place: usize| i32::from(row.0[place]);
            *row =
                PackedRow::new(|place| part(lower, place) + part(upper, place) + part(own, place));
        }
        let is_whole = own.next().is_none();
        if !is_whole {
            return None;
        }
        Network::new(self.shape, rows, self.bias, self.outputs, self.margins)
    }

    /// The rows of the two halves of a state; `None` if the index is that of a king.
    #[inline]
    fn halves_of(&self, index: usize) -> Option<[&Row; 2]> {
        let window = self.halves.get(index / STATES * 2 * HALF_STATES..)?;
        let [lower, upper] = halves(index % STATES);
        Some([window.get(lower)?, window.get(upper)?])
    }
}
