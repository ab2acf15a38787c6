//! Shards of a data set: samples are distributed among the shards by position, then each shard is
//! deduplicated and shuffled.

use std::collections::HashMap;
use std::mem;
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use crate::erased::Position;
use crate::learn::data::{DataError, Origin, Sample, SampleReader, SampleWriter, Source, Split};
use crate::rules::Variant;

use super::DatasetSettings;

impl DatasetSettings {
    /// The origin of the samples of a split.
    fn origin(self, set: Split, sources: &[Source]) -> Origin {
        let DatasetSettings { seed, late_percent, lambda_percent, .. } = self;
        Origin::Shuffled { seed, set, late_percent, lambda_percent, sources: sources.to_vec() }
    }
}

/// The number of samples that a shard buffers before writing them.
const WRITE_SIZE: usize = 512;

/// Distributes the samples of a split among its shards.
pub(super) struct ShardWriter {
    variant: Variant,
    shards: Vec<OpenShard>,
}

struct OpenShard {
    writer: SampleWriter,
    waiting: Vec<Sample>,
}

impl ShardWriter {
    /// Creates empty shard files in a folder.
    pub(super) fn new(
        variant: Variant,
        folder: &Path,
        settings: DatasetSettings,
        set: Split,
        shards: usize,
    ) -> Result<Self, DataError> {
        let shard = |number| {
            let path = folder.join(file_name(set, number));
            let origin = settings.origin(set, &[]);
            let writer = SampleWriter::create(variant, &path, origin)?;
            Ok(OpenShard { writer, waiting: Vec::with_capacity(WRITE_SIZE) })
        };
        Ok(ShardWriter { variant, shards: (0..shards).map(shard).collect::<Result<_, _>>()? })
    }

    /// Adds a sample to its shard.
    pub(super) fn add(&mut self, sample: Sample) -> Result<(), DataError> {
        let Some(position) = canonical(self.variant, &sample) else { return Ok(()) };
        let key = u128::from(position.key().0);
        let number = (key * self.shards.len() as u128) >> u64::BITS;
        let shard = &mut self.shards[number as usize];
        shard.waiting.push(sample);
        if shard.waiting.len() == WRITE_SIZE {
            shard.writer.append(&mem::take(&mut shard.waiting))?;
        }
        Ok(())
    }

    /// Writes the remaining samples.
    pub(super) fn finish(self) -> Result<(), DataError> {
        for mut shard in self.shards {
            shard.writer.append(&shard.waiting)?;
        }
        Ok(())
    }
}

/// The number of samples per block of a shuffled file.
const BLOCK: usize = 4096;

/// The distinct samples of a shard. If a position occurs several times, its last sample is kept.
struct LoadedShard {
    variant: Variant,
    samples: Vec<Sample>,
    places: HashMap<Position, usize>,
}

impl LoadedShard {
    /// Reads a shard, leaving out the positions of `without`.
    fn read(
        variant: Variant,
        path: &Path,
        without: Option<&LoadedShard>,
    ) -> Result<Self, DataError> {
        let mut reader = SampleReader::open(variant, path)?;
        let (samples, places) = (Vec::new(), HashMap::new());
        let mut shard = LoadedShard { variant, samples, places };
        let mut block = Vec::new();
        while reader.read(&mut block)? {
            for &sample in &block {
                let is_new = |position: &Position| {
                    without.is_none_or(|other| !other.places.contains_key(position))
                };
                if let Some(position) = canonical(variant, &sample).filter(is_new) {
                    shard.add(position, sample);
                }
            }
        }
        Ok(shard)
    }

    fn add(&mut self, position: Position, sample: Sample) {
        let place = *self.places.entry(position).or_insert(self.samples.len());
        match self.samples.get_mut(place) {
            Some(older) => *older = sample,
            None => self.samples.push(sample),
        }
    }

    fn write(
        &mut self,
        path: &Path,
        origin: Origin,
        mut random: Xoshiro256PlusPlus,
    ) -> Result<(), DataError> {
        self.samples.shuffle(&mut random);
        let mut writer = SampleWriter::create(self.variant, path, origin)?;
        self.samples.chunks(BLOCK).try_for_each(|block| writer.append(block))
    }
}

/// Deduplicates and shuffles the training and validation shards with the given number, and writes
/// them to another folder. A position that occurs in both is kept only in the validation shard.
/// `sources` are the games of the data set. Returns the number of training samples and of
/// validation samples.
pub(super) fn shuffle(
    variant: Variant,
    from: &Path,
    to: &Path,
    number: usize,
    settings: DatasetSettings,
    sources: &[Source],
) -> Result<[u64; 2], DataError> {
    let path = |folder: &Path, set| folder.join(file_name(set, number));
    let random = |set| {
        let stream = 2 * number as u64 + u64::from(set == Split::Validation);
        Xoshiro256PlusPlus::seed_from_u64(settings.seed ^ (stream << 32))
    };
    let read = |set, without| LoadedShard::read(variant, &path(from, set), without);
    let mut validation = read(Split::Validation, None)?;
    let mut training = read(Split::Training, Some(&validation))?;
    for (shard, set) in [(&mut training, Split::Training), (&mut validation, Split::Validation)] {
        shard.write(&path(to, set), settings.origin(set, sources), random(set))?;
    }
    Ok([training, validation].map(|shard| shard.samples.len() as u64))
}

/// The file name of a shard.
fn file_name(set: Split, shard: usize) -> String {
    let set = match set {
        Split::Training => "training",
        Split::Validation => "validation",
    };
    format!("{set}-{shard:05}.samples")
}

/// The canonical position of a sample, which is the same for all duplicates. Its side to move is
/// White: if Black is to move in the sample, the board is rotated by 180 degrees and the colours
/// are swapped. `None` if the setup is not a legal position.
fn canonical(variant: Variant, sample: &Sample) -> Option<Position> {
    Position::from_setup(variant, &sample.setup.with_white_to_move(variant.grid())).ok()
}
