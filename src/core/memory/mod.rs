//! Large zeroed blocks of memory for random access, hash tables in them, and prefetching.

pub mod slots;
mod system;
mod zeroed;

pub use system::{return_freed_blocks, survive_truncated_files};
pub use zeroed::{wipe, zeroed};

use std::mem::MaybeUninit;

/// A byte of memory that may not have been initialised yet.
type Byte = MaybeUninit<u8>;

/// Prefetches a value that will be read soon. Affects only timing.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    let address: *const T = value;
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect visible to the program, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch has no effect visible to the program, whatever the address.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{}]",
            in(reg) address,
            options(readonly, nostack, preserves_flags)
        );
    }
    // No prefetch on other architectures.
    let _ = address;
}
