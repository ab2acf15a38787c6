//! Dealing positions into buckets.

use std::mem;
use std::path::Path;

use crate::learn::data::{About, DataError, Origin, Sample, Set, Writer};
use crate::rules::Rules;

use super::{name, position};

/// Samples that wait until they are written together.
const WAITING: usize = 512;

/// The buckets of a set.
pub(super) struct Dealer<R: Rules> {
    buckets: Vec<Bucket<R>>,
}

struct Bucket<R: Rules> {
    writer: Writer,
    waiting: Vec<Sample<R::Geometry>>,
}

impl<R: Rules> Dealer<R> {
    /// So many empty buckets, in files of a folder.
    pub(super) fn new(
        folder: &Path,
        seed: u64,
        set: Set,
        buckets: usize,
    ) -> Result<Self, DataError> {
        let about = About::new(R::VARIANT.name(), Origin::Shuffled { seed, set });
        let bucket = |number| {
            let writer = Writer::create(&folder.join(name(set, number)), &about)?;
            Ok(Bucket { writer, waiting: Vec::with_capacity(WAITING) })
        };
        Ok(Dealer { buckets: (0..buckets).map(bucket).collect::<Result<_, _>>()? })
    }

    /// Deals a position.
    pub(super) fn deal(&mut self, sample: Sample<R::Geometry>) -> Result<(), DataError> {
        let Some(position) = position::<R>(&sample) else { return Ok(()) };
        let key = u128::from(position.key().0);
        let number = (key * self.buckets.len() as u128) >> u64::BITS;
        let bucket = &mut self.buckets[number as usize];
        bucket.waiting.push(sample);
        if bucket.waiting.len() == WAITING {
            bucket.writer.append(&mem::take(&mut bucket.waiting))?;
        }
        Ok(())
    }

    /// Writes what still waits.
    pub(super) fn finish(self) -> Result<(), DataError> {
        for mut bucket in self.buckets {
            bucket.writer.append(&bucket.waiting)?;
        }
        Ok(())
    }
}
