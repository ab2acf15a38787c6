//! Matches between engines.
//!
//! - [`spec`], [`time_control`]: who plays, and with what limits.
//! - [`client`]: engine processes and the protocols they speak.

pub mod client;
pub mod spec;
pub mod time_control;
