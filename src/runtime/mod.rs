//! Support for long-running work: a [`log`] to resume it from, an [`interrupt`] to stop it, and its
//! [`progress`].

pub mod interrupt;
pub mod log;
pub mod progress;
