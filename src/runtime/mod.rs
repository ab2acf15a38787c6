//! Support for long-running work: a [`log`] from which it is resumed, and an [`interrupt`] that
//! stops it.

pub mod interrupt;
pub mod log;
