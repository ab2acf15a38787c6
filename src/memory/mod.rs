//! Memory: how much there is, where large parts of it lie that are read at random, and asking for them
//! ahead of their use.

mod installed;
mod prefetch;
mod zeroed;

pub use installed::installed;
pub use prefetch::prefetch;
pub use zeroed::zeroed;
