//! Support for long-running work: a [`log`] from which to resume it, an [`interrupt`] to stop it,
//! its [`progress`], and the [`machine`] for the records of what was done on it.

pub mod interrupt;
pub mod log;
pub mod machine;
pub mod progress;
