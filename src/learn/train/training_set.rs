//! Training examples: samples as features and targets, read from a data set.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;

use crate::erased::{NetworkInput, Position};
use crate::eval::network::features::{FeatureShape, STATES};
use crate::game::GameResult;
use crate::learn::data::{DataError, DataProblem, Origin, Sample, SampleReader, Split};
use crate::rules::Variant;
use crate::runtime::progress::Progress;

use super::check_stop;

/// Maximum score to learn from, in hundredths of a man: beyond it the game is decided, and the exact
/// score means nothing.
const MAX_SCORE: i16 = 7000;

/// Training examples, by number.
#[derive(Default)]
pub(super) struct TrainingSet {
    /// For each window its states in all examples.
    pub(super) states: Vec<Vec<u16>>,
    /// The rows of kings of all examples, counted from the first such row.
    pub(super) kings: Vec<u16>,
    /// Where the rows of kings of each example start in `kings`; the last entry is the end.
    pub(super) king_starts: Vec<u32>,
    /// The numbers of pieces on the board.
    pub(super) pieces: Vec<u8>,
    /// The divisors of a lead of the side to move and of the opponent.
    pub(super) divisors: Vec<[u8; 2]>,
    /// The winning chances to predict.
    pub(super) targets: Vec<f32>,
    /// The results of the games; `None` in digressions.
    pub(super) results: Vec<Option<GameResult>>,
}

impl TrainingSet {
    /// No examples, of a board with these features.
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

    /// Adds a sample, unless its game is decided. `share` is the weight of the game's result in the
    /// target, the rest is that of the score; in a digression only the score counts.
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
        let score = chance(f32::from(sample.score.0) / 100.0);
        let points = |result: GameResult| f32::from(result.half_points()) / 2.0;
        let target = |result| share * points(result) + (1.0 - share) * score;
        self.targets.push(result.map_or(score, target));
        self.results.push(result);
    }

    /// The rows of kings of an example.
    #[inline]
    pub(super) fn kings_of(&self, example: usize) -> &[u16] {
        &self.kings[self.king_starts[example] as usize..self.king_starts[example + 1] as usize]
    }
}

/// The winning chance for a lead in men: the logistic function.
#[inline]
pub(super) fn chance(lead: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-lead))
}

/// The files of a set in a folder, sorted by name.
///
/// # Errors
///
/// The folder or a file in it cannot be read, or it has no file of the set.
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
                return Err(DataProblem::OtherOrigin.of(&path));
            }
        }
    }
    files.sort();
    if files.is_empty() { Err(DataProblem::Empty.of(folder)) } else { Ok(files) }
}

/// The CRC-32 of all bytes of some files.
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

/// Hashes what is written to it.
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

/// The examples of some files.
///
/// # Errors
///
/// A file cannot be read or is damaged, or `progress` says to stop.
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
