//! Zeroed memory, in huge pages where the system offers them.

use bytemuck::Zeroable;

/// `len` values with all bits zero; `None` if the system refuses the memory, which is committed
/// only on first use.
pub fn zeroed<T: Zeroable>(len: usize) -> Option<Box<[T]>> {
    let values = bytemuck::allocation::try_zeroed_slice_box(len).ok()?;
    ask_for_huge_pages(&values);
    Some(values)
}

/// Asks the system to back `values` with huge pages, as far as whole ones fit: with ordinary pages
/// nearly every random read would miss the TLB.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn ask_for_huge_pages<T>(values: &[T]) {
    use rustix::mm::{Advice, madvise};

    /// The size of a huge page, in bytes.
    const HUGE_PAGE: usize = 2 << 20;
    let bytes = values.as_ptr_range();
    let start = bytes.start.addr().next_multiple_of(HUGE_PAGE);
    let end = bytes.end.addr() / HUGE_PAGE * HUGE_PAGE;
    if start >= end {
        return;
    }
    let first = bytes.start.with_addr(start).cast_mut().cast();
    // SAFETY: the range lies within `values`, and this advice leaves its contents alone.
    let advised = unsafe { madvise(first, end - start, Advice::LinuxHugepage) };
    // Without huge pages the memory is slower but just as usable.
    advised.unwrap_or_default();
}

/// Other systems choose the page size themselves.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn ask_for_huge_pages<T>(_values: &[T]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_zero_and_can_be_written() {
        for len in [0, 1, 4096, (2 << 20) + 1, 5 << 20] {
            let mut values = zeroed::<u8>(len).unwrap();
            assert_eq!(values.len(), len);
            assert!(values.iter().all(|&value| value == 0));
            values.fill(1);
            assert!(values.iter().all(|&value| value == 1));
        }
    }

    #[test]
    fn too_much_memory_is_refused() {
        assert!(zeroed::<u64>(usize::MAX).is_none());
        assert!(zeroed::<u64>(usize::MAX / 16).is_none());
    }
}
