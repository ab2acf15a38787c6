//! Memory advice to the operating system, and settings of the allocator.

#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux {
    use rustix::io::Errno;
    use rustix::mm::{Advice, madvise};

    use crate::memory::Byte;

    /// The size of a huge page, in bytes.
    const HUGE_PAGE: usize = 2 << 20;
    /// The usual size of an ordinary page, in bytes. On systems with larger pages, advice that
    /// starts within a page is ignored.
    const PAGE: usize = 4096;

    /// Asks the system to use huge pages for `memory`, except for ends smaller than a huge page.
    /// With ordinary pages nearly every random read would miss the TLB. Must be called before the
    /// memory is first accessed.
    pub(crate) fn ask_for_huge_pages(memory: &mut [Byte]) {
        let bytes = memory.as_mut_ptr_range();
        let start = bytes.start.addr().next_multiple_of(HUGE_PAGE);
        let end = bytes.end.addr() / HUGE_PAGE * HUGE_PAGE;
        if start >= end {
            return;
        }
        let first = bytes.start.with_addr(start).cast();
        // SAFETY: the range lies within `memory`, and this advice does not change its contents.
        let advised = unsafe { madvise(first, end - start, Advice::LinuxHugepage) };
        // Errors are ignored: without huge pages the memory is slower but usable.
        advised.unwrap_or_default();
    }

    /// Commits memory, which is faster than committing it page by page on first access. Returns
    /// `false` if there is not enough. Before Linux 5.14 this has no effect, and the memory is
    /// committed on first access.
    pub(crate) fn commit(memory: &mut [Byte]) -> bool {
        let bytes = memory.as_mut_ptr_range();
        let start = bytes.start.addr() / PAGE * PAGE;
        let end = bytes.end.addr().next_multiple_of(PAGE);
        let first = bytes.start.with_addr(start).cast();
        // SAFETY: the range consists of the pages of `memory`. Committing a page does not change
        // its contents, so data of other owners on the first and last page is unaffected.
        let committed = unsafe { madvise(first, end - start, Advice::LinuxPopulateWrite) };
        committed != Err(Errno::NOMEM)
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use linux::{ask_for_huge_pages, commit};

/// Does nothing: other systems choose the page size themselves.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn ask_for_huge_pages(_memory: &mut [super::Byte]) {}

/// Does nothing: other systems commit memory on first access.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn commit(_memory: &mut [super::Byte]) -> bool {
    true
}

/// Makes the allocator return blocks of more than 128 kB to the system as soon as they are freed,
/// for the rest of the process. By default glibc raises this threshold when larger blocks are
/// freed: a server thereby retained 0.7 MB for each of its first 200 sessions.
pub fn return_freed_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::ffi::c_int;

        /// The value of `M_MMAP_THRESHOLD` in `malloc.h`.
        const M_MMAP_THRESHOLD: c_int = -3;

        unsafe extern "C" {
            fn mallopt(parameter: c_int, value: c_int) -> c_int;
        }
        // SAFETY: `mallopt` takes no pointers and locks the state it changes.
        unsafe { mallopt(M_MMAP_THRESHOLD, 128 << 10) };
    }
}

/// Lets the program survive the truncation of a file that it has mapped, such as a bitbase file, for
/// the rest of the process: the part that is missing reads as zeros. Without it, reading that part
/// ends the program with SIGBUS. A read costs the same as before, as only a failed one takes the
/// signal. Other systems do not allow such a truncation (Windows) or have no signals.
pub fn survive_truncated_files() {
    #[cfg(unix)]
    bus_error::install();
}

#[cfg(unix)]
mod bus_error {
    use std::ffi::{c_int, c_void};
    use std::mem::MaybeUninit;
    use std::ptr;

    /// Installs [`replace_page`] as the handler of SIGBUS.
    pub(super) fn install() {
        // SAFETY: all bytes zero are a valid `sigaction`: no flags, and no signals blocked.
        let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = replace_page;
        action.sa_sigaction = handler as libc::sighandler_t;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: the action is initialised, and the handler calls only functions that are safe in
        // a signal handler. On an error, the program behaves as without it.
        unsafe { libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()) };
    }

    /// Replaces the page that could not be read by zeros, and repeats the read.
    extern "C" fn replace_page(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
        // SAFETY: the system passes valid information.
        let (code, address) = unsafe { ((*info).si_code, (*info).si_addr()) };
        // SAFETY: `sysconf` only reads a constant of the system.
        let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let is_replaced = code == libc::BUS_ADRERR && {
            let page = address.with_addr(address.addr() / size * size);
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
            // SAFETY: this code means that the page is mapped but lies beyond the end of its file, so
            // its contents are already gone and replacing the mapping loses nothing.
            let mapped = unsafe { libc::mmap(page, size, libc::PROT_READ, flags, -1, 0) };
            mapped != libc::MAP_FAILED
        };
        if !is_replaced {
            // The read is repeated and ends the program.
            // SAFETY: restoring the default action affects no memory.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    #[test]
    fn truncated_files_read_as_zeros() {
        super::survive_truncated_files();
        let file = tempfile::tempfile().unwrap();
        file.set_len(1 << 20).unwrap();
        std::io::Write::write_all(&mut &file, b"contents").unwrap();
        // SAFETY: that the file changes is what is tested; no reference to its bytes is kept.
        let map = unsafe { memmap2::Mmap::map(&file) }.unwrap();
        assert_eq!(map[..8], *b"contents");
        file.set_len(0).unwrap();
        assert_eq!((map[0], map[1 << 16], map.last()), (0, 0, Some(&0)));
    }
}
