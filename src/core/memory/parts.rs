//! Work on a large block of memory, shared between threads.

use std::iter;
use std::mem::MaybeUninit;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Bytes that a thread takes at a time. A smaller block is not worth starting a thread.
const PART: usize = 16 << 20;

/// A byte of a block, possibly not yet written.
pub(super) type Byte = MaybeUninit<u8>;

/// Works on a block part by part, on all cores if it has many parts. Returns whether the work
/// succeeded everywhere; a thread stops at its first failure.
///
/// The threads are not rayon's: they are needed for milliseconds, and an engine must start even
/// where the system provides no further thread.
pub(super) fn each(block: &mut [Byte], work: &(dyn Fn(&mut [Byte]) -> bool + Sync)) -> bool {
    let helpers = helpers(block.len());
    let parts = Mutex::new(block.chunks_mut(PART));
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_off = || iter::from_fn(next).all(work);
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work_off).ok();
        let helpers: Vec<_> = (0..helpers).filter_map(start).collect();
        let is_done = work_off();
        helpers.into_iter().fold(is_done, |is_done, helper| {
            let is_helped = helper.join().unwrap_or(false);
            is_done && is_helped
        })
    })
}

/// The number of threads that help the calling one with a block of this many bytes.
fn helpers(bytes: usize) -> usize {
    match bytes / PART {
        0 | 1 => 0,
        parts => thread::available_parallelism().map_or(1, NonZero::get).min(parts) - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_worked_on_once() {
        for len in [0, 1, PART, 3 * PART + 5] {
            let mut block = vec![Byte::new(1); len];
            let add = |part: &mut [Byte]| {
                for byte in part {
                    // SAFETY: all bytes have been written.
                    *byte = Byte::new(unsafe { byte.assume_init() } + 1);
                }
                true
            };
            assert!(each(&mut block, &add));
            // SAFETY: as above.
            assert!(block.iter().all(|byte| unsafe { byte.assume_init() } == 2), "{len}");
        }
    }

    #[test]
    fn a_part_that_fails_fails_the_whole() {
        let mut block = vec![Byte::new(0); 4 * PART + 1];
        assert!(!each(&mut block, &|part| part.len() == PART));
        assert!(each(&mut block, &|part| part.len() <= PART));
    }

    #[test]
    fn small_blocks_start_no_thread() {
        assert_eq!(helpers(0), 0);
        assert_eq!(helpers(2 * PART - 1), 0);
        assert!(helpers(3 * PART) < 3);
    }
}
