//! Support for long-running work: a [`log`] from which to resume it, an [`interrupt`] to stop it,
//! its [`progress`], and a description of the [`machine`] to record with the results.

pub mod interrupt;
pub mod log;
pub mod machine;
pub mod progress;
