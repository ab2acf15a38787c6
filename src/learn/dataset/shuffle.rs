//! Deduplicating and shuffling buckets.

use std::collections::HashMap;
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use crate::erased::Position;
use crate::learn::data::{DataError, Origin, Sample, SampleReader, SampleWriter, Set, Source};
use crate::rules::Variant;

use super::{canonical, name};

/// The number of samples in a block of a file.
const BLOCK: usize = 4096;

/// The distinct samples of a bucket: of equal positions the last sample.
struct LoadedBucket {
    variant: Variant,
    samples: Vec<Sample>,
    places: HashMap<Position, usize>,
}

impl LoadedBucket {
    /// Reads a bucket, without the positions of another.
    fn read(
        variant: Variant,
        path: &Path,
        without: Option<&LoadedBucket>,
    ) -> Result<Self, DataError> {
        let mut reader = SampleReader::open(variant, path)?;
        let (samples, places) = (Vec::new(), HashMap::new());
        let mut bucket = LoadedBucket { variant, samples, places };
        let mut block = Vec::new();
        while reader.read(&mut block)? {
            for &sample in &block {
                let is_new = |position: &Position| {
                    without.is_none_or(|other| !other.places.contains_key(position))
                };
                if let Some(position) = canonical(variant, &sample).filter(is_new) {
                    bucket.add(position, sample);
                }
            }
        }
        Ok(bucket)
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

/// Shuffles the buckets of one number, training and validation, from one folder into another. A
/// position in both sets stays for validation only. `sources` are the games of all. Returns the numbers of samples for training and
/// for validation.
pub(super) fn shuffle(
    variant: Variant,
    from: &Path,
    to: &Path,
    number: usize,
    seed: u64,
    sources: &[Source],
) -> Result<[u64; 2], DataError> {
    let path = |folder: &Path, set| folder.join(name(set, number));
    let random = |set| {
        let stream = 2 * number as u64 + u64::from(set == Set::Validation);
        Xoshiro256PlusPlus::seed_from_u64(seed ^ (stream << 32))
    };
    let read = |set, without| LoadedBucket::read(variant, &path(from, set), without);
    let mut validation = read(Set::Validation, None)?;
    let mut training = read(Set::Training, Some(&validation))?;
    for (bucket, set) in [(&mut training, Set::Training), (&mut validation, Set::Validation)] {
        let origin = Origin::Shuffled { seed, set, sources: sources.to_vec() };
        bucket.write(&path(to, set), origin, random(set))?;
    }
    Ok([training, validation].map(|bucket| bucket.samples.len() as u64))
}
