//! Support for long-running work: a [`log`] from which to resume it, an [`interrupt`] to stop it,
//! and its [`progress`].

pub mod interrupt;
pub mod log;
pub mod progress;
