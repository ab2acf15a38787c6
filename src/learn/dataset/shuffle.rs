//! Buckets cleared of doubles, and in random order.

use std::collections::HashMap;
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use crate::learn::data::{About, DataError, Reader, Sample, Set, Writer};
use crate::position::Position;
use crate::rules::Rules;

use super::{name, position};

/// Samples in a block of a file.
const BLOCK: usize = 4096;

/// The samples of a bucket, each position once: as it was found last.
struct Bucket<R: Rules> {
    about: About,
    samples: Vec<Sample<R::Geometry>>,
    places: HashMap<Position<R>, usize>,
}

impl<R: Rules> Bucket<R> {
    /// Reads a bucket without the positions of another.
    fn read(path: &Path, without: Option<&Bucket<R>>) -> Result<Self, DataError> {
        let mut reader = Reader::<R>::open(path)?;
        let about = reader.about().clone();
        let mut bucket = Bucket { about, samples: Vec::new(), places: HashMap::new() };
        let mut block = Vec::new();
        while reader.read(&mut block)? {
            for &sample in &block {
                let is_known = |position: &Position<R>| {
                    without.is_some_and(|other| other.places.contains_key(position))
                };
                if let Some(position) = position::<R>(&sample).filter(|found| !is_known(found)) {
                    bucket.add(position, sample);
                }
            }
        }
        Ok(bucket)
    }

    fn add(&mut self, position: Position<R>, sample: Sample<R::Geometry>) {
        let place = *self.places.entry(position).or_insert(self.samples.len());
        match self.samples.get_mut(place) {
            Some(older) => *older = sample,
            None => self.samples.push(sample),
        }
    }

    fn write(&mut self, path: &Path, mut random: Xoshiro256PlusPlus) -> Result<(), DataError> {
        self.samples.shuffle(&mut random);
        let mut writer = Writer::create(path, &self.about)?;
        self.samples.chunks(BLOCK).try_for_each(|block| writer.append(block))
    }
}

/// Shuffles the buckets of a number of both sets from a folder into another. A position that is in both
/// stays for validation. Returns how many there are for training and for validation.
pub(super) fn shuffle<R: Rules>(
    from: &Path,
    to: &Path,
    number: usize,
    seed: u64,
) -> Result<[u64; 2], DataError> {
    let path = |folder: &Path, set| folder.join(name(set, number));
    let random = |set| {
        let stream = 2 * number as u64 + u64::from(set == Set::Validation);
        Xoshiro256PlusPlus::seed_from_u64(seed ^ (stream << 32))
    };
    let mut validation = Bucket::<R>::read(&path(from, Set::Validation), None)?;
    let mut training = Bucket::read(&path(from, Set::Training), Some(&validation))?;
    for (bucket, set) in [(&mut training, Set::Training), (&mut validation, Set::Validation)] {
        bucket.write(&path(to, set), random(set))?;
    }
    Ok([training, validation].map(|bucket| bucket.samples.len() as u64))
}
