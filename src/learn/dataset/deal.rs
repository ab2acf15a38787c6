//! Dealing samples into buckets.

use std::mem;
use std::path::Path;

use crate::learn::data::{DataError, Origin, Sample, SampleWriter, Set};
use crate::rules::Variant;

use super::{canonical, name};

/// The number of samples that are collected before they are written.
const WAITING: usize = 512;

/// The buckets of a set.
pub(super) struct Dealer {
    variant: Variant,
    buckets: Vec<OpenBucket>,
}

struct OpenBucket {
    writer: SampleWriter,
    waiting: Vec<Sample>,
}

impl Dealer {
    /// Creates the files of empty buckets in a folder.
    pub(super) fn new(
        variant: Variant,
        folder: &Path,
        seed: u64,
        set: Set,
        buckets: usize,
    ) -> Result<Self, DataError> {
        let bucket = |number| {
            let path = folder.join(name(set, number));
            let origin = Origin::Shuffled { seed, set, sources: Vec::new() };
            let writer = SampleWriter::create(variant, &path, origin)?;
            Ok(OpenBucket { writer, waiting: Vec::with_capacity(WAITING) })
        };
        Ok(Dealer { variant, buckets: (0..buckets).map(bucket).collect::<Result<_, _>>()? })
    }

    /// Deals a sample.
    pub(super) fn deal(&mut self, sample: Sample) -> Result<(), DataError> {
        let Some(position) = canonical(self.variant, &sample) else { return Ok(()) };
        let key = u128::from(position.key().0);
        let number = (key * self.buckets.len() as u128) >> u64::BITS;
        let bucket = &mut self.buckets[number as usize];
        bucket.waiting.push(sample);
        if bucket.waiting.len() == WAITING {
            bucket.writer.append(&mem::take(&mut bucket.waiting))?;
        }
        Ok(())
    }

    /// Writes the remaining samples.
    pub(super) fn finish(self) -> Result<(), DataError> {
        for mut bucket in self.buckets {
            bucket.writer.append(&bucket.waiting)?;
        }
        Ok(())
    }
}
