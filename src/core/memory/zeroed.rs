//! Zeroed memory, in huge pages where the system offers them.

use std::slice;

use bytemuck::Zeroable;

use super::parts::{self, Byte};
use super::system;

/// `len` values with all bits zero; `None` if the system refuses the memory.
///
/// All of it is committed here, large blocks by all cores: no later access has to wait for the
/// system to provide a page.
pub fn zeroed<T: Zeroable>(len: usize) -> Option<Box<[T]>> {
    // Not zeroed by the allocator: it would touch some memory before huge pages are asked for.
    let mut values = Vec::new();
    values.try_reserve_exact(len).ok()?;
    let room = &mut values.spare_capacity_mut()[..len];
    // SAFETY: the bytes of memory that holds no values yet.
    let block = unsafe { bytes(room) };
    system::ask_for_huge_pages(block);
    if !parts::each(block, &|part| system::commit(part) && zero(part)) {
        return None;
    }
    // SAFETY: all bits of these values are zero, which is a value of `T`.
    unsafe { values.set_len(len) };
    Some(values.into_boxed_slice())
}

/// Sets all bits of the values to zero, on all cores if there are many. Their memory is kept.
pub fn wipe<T: Zeroable>(values: &mut [T]) {
    // SAFETY: all that is written are zeros, which are values of `T`.
    parts::each(unsafe { bytes(values) }, &zero);
}

fn zero(part: &mut [Byte]) -> bool {
    part.fill(Byte::new(0));
    true
}

/// The bytes of values.
///
/// # Safety
///
/// The bytes must be values of `T` again after all that is written to them.
unsafe fn bytes<T>(values: &mut [T]) -> &mut [Byte] {
    let len = size_of_val(values);
    // SAFETY: the same memory, borrowed as long; any byte will do for `Byte`.
    unsafe { slice::from_raw_parts_mut(values.as_mut_ptr().cast(), len) }
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

    /// The page faults of this thread so far that needed no disk.
    #[cfg(target_os = "linux")]
    fn page_faults() -> u64 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, after_name) = stat.rsplit_once(") ").unwrap();
        after_name.split(' ').nth(7).unwrap().parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn accesses_wait_for_no_page() {
        use std::sync::atomic::{AtomicU64, Ordering};

        // 64 MiB: 16,384 pages, or 32 huge ones and up to 1,022 at the ends.
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
}
