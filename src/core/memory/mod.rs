//! Large zeroed blocks of memory for random access, and prefetching.

mod parts;
mod prefetch;
mod system;
mod zeroed;

pub use prefetch::prefetch;
pub use system::return_freed_blocks;
pub use zeroed::{wipe, zeroed};
