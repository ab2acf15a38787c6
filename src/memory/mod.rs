//! Large memory that is read at random: where it lies, and asking for it ahead of its use.

mod prefetch;
mod zeroed;

pub use prefetch::prefetch;
pub use zeroed::zeroed;
