//! Memory: the amount available, large zeroed blocks for random access, and prefetching.

mod installed;
mod prefetch;
mod zeroed;

pub use installed::installed;
pub use prefetch::prefetch;
pub use zeroed::zeroed;
