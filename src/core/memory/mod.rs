//! Large zeroed blocks of memory for random access, and prefetching.

mod prefetch;
mod zeroed;

pub use prefetch::prefetch;
pub use zeroed::zeroed;
