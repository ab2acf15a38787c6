//! Training examples: the features and targets of samples read from a data set.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;

use crate::erased::{NetworkInput, Position};
use crate::eval::network::features::{FeatureShape, STATES};
use crate::game::GameResult;
use crate::learn::correlation::winning_chance;
use crate::learn::data::{DataError, DataProblem, Origin, Sample, SampleReader, Split};
use crate::rules::Variant;
use crate::runtime::progress::Progress;

use super::check_stop;

/// Maximum absolute score of an example, in hundredths of a man. Beyond it, the game is decided and
/// the exact score is meaningless.
const MAX_SCORE: i16 = 7000;

/// Training examples, stored field by field and indexed by number.
#[derive(Default)]
pub(super) struct TrainingSet {
    /// For each window, its state in each example.
    pub(super) states: Vec<Vec<u16>>,
    /// The king rows of all examples, counted from the first king row.
    pub(super) kings: Vec<u16>,
    /// The index in `kings` at which the king rows of each example start; the last entry is the
    /// length of `kings`.
    pub(super) king_starts: Vec<u32>,
    /// The number of pieces on the board.
    pub(super) pieces: Vec<u8>,
    /// The divisors for a lead of the side to move and for a lead of the opponent.
    pub(super) divisors: Vec<[u8; 2]>,
    /// The winning chances to predict.
    pub(super) targets: Vec<f32>,
    /// The results of the games for the side to move; `None` in digressions.
    pub(super) results: Vec<Option<GameResult>>,
}

impl TrainingSet {
    /// An empty set for a board with the given features.
    pub(super) fn new(shape: FeatureShape) -> Self {
        TrainingSet {
            states: vec![Vec::new(); shape.windows],
            king_starts: vec![0],
            ..TrainingSet::default()
        }
    }

    /// The number of examples.
    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    /// Adds a sample, unless its score exceeds `MAX_SCORE`. `share` is the weight of the game
    /// result in the target; the score has the remaining weight. In a digression, only the score
    /// counts.
    pub(super) fn add(&mut self, variant: Variant, sample: &Sample, share: f32) {
        let Ok(position) = Position::from_setup(variant, &sample.setup) else { return };
        if sample.score.0.abs() > MAX_SCORE {
            return;
        }
        let NetworkInput { rows, divisors } = position.network_input();
        let kings = self.states.len() * STATES;
        for row in rows {
            match row < kings {
                true => self.states[row / STATES].push((row % STATES) as u16),
                false => self.kings.push((row - kings) as u16),
            }
        }
        self.king_starts.push(self.kings.len() as u32);
        self.pieces.push(position.occupied().len() as u8);
        self.divisors.push(divisors);
        let result =
            (!sample.is_digression).then(|| GameResult::of(sample.winner, position.side()));
        let score = winning_chance(f32::from(sample.score.0) / 100.0);
        let points = |result: GameResult| f32::from(result.half_points()) / 2.0;
        let target = |result| share * points(result) + (1.0 - share) * score;
        self.targets.push(result.map_or(score, target));
        self.results.push(result);
    }

    /// The king rows of an example.
    #[inline]
    pub(super) fn kings_of(&self, example: usize) -> &[u16] {
        &self.kings[self.king_starts[example] as usize..self.king_starts[example + 1] as usize]
    }
}

/// The files in a folder that belong to a split, sorted by name.
///
/// # Errors
///
/// The folder or a file in it cannot be read, a file does not contain shuffled samples, or no file
/// belongs to the split.
pub(super) fn files(
    variant: Variant,
    folder: &Path,
    split: Split,
) -> Result<Vec<PathBuf>, DataError> {
    let entries = fs::read_dir(folder).map_err(|error| DataProblem::Io(error).of(folder))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| DataProblem::Io(error).of(folder))?.path();
        if path.extension().is_none_or(|ending| ending != "samples") {
            continue;
        }
        match SampleReader::open(variant, &path)?.about().origin {
            Origin::Shuffled { set, .. } if set == split => files.push(path),
            Origin::Shuffled { .. } => {}
            Origin::SelfPlay { .. } | Origin::Relabelled { .. } => {
                return Err(DataProblem::NotDataSet.of(&path));
            }
        }
    }
    files.sort();
    if files.is_empty() { Err(DataProblem::NoDataSets.of(folder)) } else { Ok(files) }
}

/// The CRC-32 of the concatenated contents of the given files.
///
/// # Errors
///
/// A file cannot be read.
pub(super) fn checksum(files: &[PathBuf]) -> Result<u32, DataError> {
    let mut hasher = Hasher::new();
    for path in files {
        let mut read = || io::copy(&mut File::open(path)?, &mut HashWriter(&mut hasher));
        read().map_err(|error| DataProblem::Io(error).of(path))?;
    }
    Ok(hasher.finalize())
}

/// A writer that adds all bytes to a hash.
struct HashWriter<'a>(&'a mut Hasher);

impl Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads the examples in the given files.
///
/// # Errors
///
/// A file cannot be read or is damaged, or `progress` is stopped.
pub(super) fn examples(
    variant: Variant,
    files: &[PathBuf],
    share: f32,
    progress: &dyn Progress,
) -> Result<TrainingSet, DataError> {
    let mut examples = TrainingSet::new(variant.feature_shape());
    let mut samples = Vec::new();
    for file in files {
        check_stop(progress, file)?;
        let mut reader = SampleReader::open(variant, file)?;
        while reader.read(&mut samples)? {
            for sample in &samples {
                examples.add(variant, sample, share);
            }
        }
    }
    Ok(examples)
}
