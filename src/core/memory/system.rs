//! Advice on memory to the operating system.

#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux {
    use rustix::io::Errno;
    use rustix::mm::{Advice, madvise};

    use crate::memory::Byte;

    /// The size of a huge page, in bytes.
    const HUGE_PAGE: usize = 2 << 20;
    /// The usual size of other pages. Where pages are larger, the system ignores advice that starts
    /// within one.
    const PAGE: usize = 4096;

    /// Asks the system to back memory with huge pages, as far as whole ones fit: with ordinary
    /// pages nearly every random read would miss the TLB. It must come before the first access.
    pub(crate) fn ask_for_huge_pages(memory: &mut [Byte]) {
        let bytes = memory.as_mut_ptr_range();
        let start = bytes.start.addr().next_multiple_of(HUGE_PAGE);
        let end = bytes.end.addr() / HUGE_PAGE * HUGE_PAGE;
        if start >= end {
            return;
        }
        let first = bytes.start.with_addr(start).cast();
        // SAFETY: the range lies within `memory`, and this advice leaves its contents alone.
        let advised = unsafe { madvise(first, end - start, Advice::LinuxHugepage) };
        // Without huge pages the memory is slower but just as usable.
        advised.unwrap_or_default();
    }

    /// Commits memory, faster than the first accesses would. Returns `false` if there is not
    /// enough; on a system older than Linux 5.14 the accesses commit it.
    pub(crate) fn commit(memory: &mut [Byte]) -> bool {
        let bytes = memory.as_mut_ptr_range();
        let start = bytes.start.addr() / PAGE * PAGE;
        let end = bytes.end.addr().next_multiple_of(PAGE);
        let first = bytes.start.with_addr(start).cast();
        // SAFETY: the range consists of the pages of `memory`, and committing a page leaves its
        // contents alone, even those that belong to others.
        let committed = unsafe { madvise(first, end - start, Advice::LinuxPopulateWrite) };
        committed != Err(Errno::NOMEM)
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use linux::{ask_for_huge_pages, commit};

/// Other systems choose the page size themselves.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn ask_for_huge_pages(_memory: &mut [super::Byte]) {}

/// Other systems commit memory when it is accessed.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn commit(_memory: &mut [super::Byte]) -> bool {
    true
}

/// Makes the allocator return blocks of more than 128 kB to the system as soon as they are freed,
/// for the rest of the process. glibc otherwise keeps larger and larger ones: a server kept 0.7 MB
/// for each of its first 200 sessions.
pub fn return_freed_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::ffi::c_int;

        /// The parameter of this name in `malloc.h`.
        const M_MMAP_THRESHOLD: c_int = -3;

        unsafe extern "C" {
            fn mallopt(parameter: c_int, value: c_int) -> c_int;
        }
        // SAFETY: it takes no addresses, and locks what it changes.
        unsafe { mallopt(M_MMAP_THRESHOLD, 128 << 10) };
    }
}
