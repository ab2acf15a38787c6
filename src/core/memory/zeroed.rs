//! Zeroed memory, in huge pages where available.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::{iter, slice, thread};

use bytemuck::Zeroable;

use super::{Byte, system};

/// Allocates `len` values with all bits zero; `None` if the system refuses the memory.
///
/// All the memory is committed here, large blocks by several threads, so that later accesses need
/// not wait for the system to provide a page.
pub fn zeroed<T: Zeroable>(len: usize) -> Option<Box<[T]>> {
    // The allocator is not asked for zeroed memory: it would touch some of it before huge pages are
    // requested.
    let mut values = Vec::new();
    values.try_reserve_exact(len).ok()?;
    let room = &mut values.spare_capacity_mut()[..len];
    // SAFETY: the memory does not hold any values yet.
    let block = unsafe { bytes(room) };
    system::ask_for_huge_pages(block);
    if !for_each_chunk(block, &|part| system::commit(part) && zero(part)) {
        return None;
    }
    // SAFETY: all bits of these values are zero, which is a valid `T`.
    unsafe { values.set_len(len) };
    Some(values.into_boxed_slice())
}

/// Sets all bits of the values to zero, with several threads if there are many. The memory stays
/// allocated.
pub fn wipe<T: Zeroable>(values: &mut [T]) {
    // SAFETY: only zeros are written, and zero bytes are a valid `T`.
    for_each_chunk(unsafe { bytes(values) }, &zero);
}

fn zero(part: &mut [Byte]) -> bool {
    part.fill(Byte::new(0));
    true
}

/// The values as bytes.
///
/// # Safety
///
/// After any writes, the bytes must again be valid values of `T`.
unsafe fn bytes<T>(values: &mut [T]) -> &mut [Byte] {
    let len = size_of_val(values);
    // SAFETY: the same memory, borrowed for the same lifetime; any byte is a valid `Byte`.
    unsafe { slice::from_raw_parts_mut(values.as_mut_ptr().cast(), len) }
}

/// The number of bytes that a thread processes at a time. Smaller blocks do not justify starting a
/// thread.
const PART: usize = 16 << 20;

/// Calls `work` on each part of a block, on all cores if there are many parts. Returns whether
/// every call succeeded; each thread stops at its first failure.
///
/// Rayon's threads are not used: threads are needed only for milliseconds, and an engine must start
/// even if the system cannot provide another thread.
fn for_each_chunk(block: &mut [Byte], work: &(dyn Fn(&mut [Byte]) -> bool + Sync)) -> bool {
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

/// The number of threads that help the calling thread with a block of this size.
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
    fn values_are_zero_and_can_be_written_and_wiped() {
        for len in [0, 1, 4096, (2 << 20) + 1, 5 << 20, (48 << 20) + 7] {
            let mut values = zeroed::<u8>(len).unwrap();
            assert_eq!(values.len(), len);
            assert!(values.iter().all(|&value| value == 0));
            values.fill(1);
            assert!(values.iter().all(|&value| value == 1));
            let place = values.as_ptr();
            wipe(&mut values);
            assert!(values.iter().all(|&value| value == 0));
            assert_eq!(values.as_ptr(), place);
        }
    }

    #[test]
    fn too_much_memory_is_refused() {
        assert!(zeroed::<u64>(usize::MAX).is_none());
        assert!(zeroed::<u64>(usize::MAX / 16).is_none());
    }

    /// The number of minor page faults of this thread so far: those that needed no disk access.
    #[cfg(target_os = "linux")]
    fn page_faults() -> u64 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, after_name) = stat.rsplit_once(") ").unwrap();
        after_name.split(' ').nth(7).unwrap().parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn accesses_cause_no_page_faults() {
        use std::sync::atomic::{AtomicU64, Ordering};

        // 64 MiB: 16,384 ordinary pages, or about 32 huge pages and some ordinary ones at the ends.
        let mut values = zeroed::<AtomicU64>(8 << 20).unwrap();
        for _ in 0..2 {
            let before = page_faults();
            for value in values.iter().step_by(512) {
                value.store(1, Ordering::Relaxed);
            }
            let faults = page_faults() - before;
            assert!(faults < 10, "{faults}");
            wipe(&mut values);
        }
    }

    #[test]
    fn every_byte_is_processed_once() {
        for len in [0, 1, PART, 3 * PART + 5] {
            let mut block = vec![Byte::new(1); len];
            let add = |part: &mut [Byte]| {
                for byte in part {
                    // SAFETY: all bytes have been written.
                    *byte = Byte::new(unsafe { byte.assume_init() } + 1);
                }
                true
            };
            assert!(for_each_chunk(&mut block, &add));
            // SAFETY: as above.
            assert!(block.iter().all(|byte| unsafe { byte.assume_init() } == 2), "{len}");
        }
    }

    #[test]
    fn fails_if_any_chunk_fails() {
        let mut block = vec![Byte::new(0); 4 * PART + 1];
        assert!(!for_each_chunk(&mut block, &|part| part.len() == PART));
        assert!(for_each_chunk(&mut block, &|part| part.len() <= PART));
    }

    #[test]
    fn small_blocks_start_no_thread() {
        assert_eq!(helpers(0), 0);
        assert_eq!(helpers(2 * PART - 1), 0);
        assert!(helpers(3 * PART) < 3);
    }
}
