//! Matches between engines.
//!
//! - [`spec`], [`time_control`]: who plays, and with what limits.
//! - [`openings`]: where games start.
//! - [`client`]: engine processes and the protocols they speak.
//! - [`stats`]: what the results say about strength.

pub mod client;
pub mod openings;
pub mod spec;
pub mod stats;
pub mod time_control;
