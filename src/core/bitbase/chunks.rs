//! Iteration over the positions of a slice in chunks.

use std::ops::Range;

use crate::parallel;
use crate::progress::Progress;

use super::error::SolveError;

/// Positions that a thread processes at a time.
pub(super) const CHUNK: u64 = 1 << 14;

/// The position numbers of a chunk of `0..len`.
pub(super) fn chunk(len: u64, chunk: usize) -> Range<u64> {
    let start = chunk as u64 * CHUNK;
    start..len.min(start + CHUNK)
}

/// Calls `work` with the numbers of `len` positions, a chunk at a time, on rayon's threads. Each
/// position is one step.
///
/// # Errors
///
/// Those of `work`; [`SolveError::Stopped`] if `progress` requests a stop.
pub(super) fn each_chunk(
    len: u64,
    progress: &dyn Progress,
    work: &(dyn Fn(Range<u64>) -> Result<(), SolveError> + Sync),
) -> Result<(), SolveError> {
    parallel::try_each(len.div_ceil(CHUNK) as usize, &|number| {
        if progress.is_stopped() {
            return Err(SolveError::Stopped);
        }
        let numbers = chunk(len, number);
        progress.advance(numbers.end - numbers.start);
        work(numbers)
    })
}
