//! Support for long work: a [`log`] from which it is resumed, an [`interrupt`] that stops it, and
//! its [`progress`].

pub mod interrupt;
pub mod log;
pub mod progress;
