//! Values that are zero at first and lie in huge pages where the system offers them.

use bytemuck::Zeroable;

/// So many values, all bits zero; `None` if the system refuses the memory. It is taken from the system
/// as it is first used.
pub fn zeroed<T: Zeroable>(len: usize) -> Option<Box<[T]>> {
    let values = bytemuck::allocation::try_zeroed_slice_box(len).ok()?;
    ask_for_huge_pages(&values);
    Some(values)
}

/// Asks the system to back the whole huge pages among some values by such pages: reading at random is
/// faster, as nearly every place would miss the address cache for ordinary ones.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn ask_for_huge_pages<T>(values: &[T]) {
    use rustix::mm::{Advice, madvise};

    /// The bytes of a huge page.
    const HUGE_PAGE: usize = 2 << 20;
    let bytes = values.as_ptr_range();
    let start = bytes.start.addr().next_multiple_of(HUGE_PAGE);
    let end = bytes.end.addr() / HUGE_PAGE * HUGE_PAGE;
    if start >= end {
        return;
    }
    let first = bytes.start.with_addr(start).cast_mut().cast();
    // SAFETY: the bytes are among those of `values`, and this advice leaves their contents alone.
    let advised = unsafe { madvise(first, end - start, Advice::LinuxHugepage) };
    // Without huge pages the memory is slower and just as good.
    advised.unwrap_or_default();
}

/// Other systems choose the pages themselves.
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
