//! Matches between engines.
//!
//! - [`spec`], [`time_control`]: who plays, and with what limits.
//! - [`client`]: engine processes and the protocols they speak.
//! - [`stats`]: what the results say about strength.

pub mod client;
pub mod spec;
pub mod stats;
pub mod time_control;
