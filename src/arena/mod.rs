//! Matches between engines.
//!
//! A match is described by a [`plan`] and carried out by the [`runner`]. From the top down:
//!
//! - [`runner`]: plays a plan, several games at a time, or counts the games that several processes
//!   have played. `workers` are its threads, each with engines of its own.
//! - [`plan`], [`openings`]: who plays whom, and from which positions.
//! - [`referee`]: one game: rules, clocks, faults; with [`adjudication`], which ends games early.
//! - [`client`]: engine processes, restarted after faults, and the protocols they speak.
//! - [`spec`], [`time_control`]: the user's description of engines and their limits.
//! - [`played`]: the record of a finished game. A [log](crate::runtime::log) stores it, [`mod@pdn`] writes it, the
//!   [`tally`] counts it, and [`summary`] draws conclusions with [`stats`].
//! - [`tune`]: games that tune the numbers of an engine, by SPSA.

pub mod adjudication;
pub mod client;
pub mod openings;
pub mod pdn;
pub mod plan;
pub mod played;
pub mod referee;
pub mod runner;
pub mod spec;
pub mod stats;
pub mod summary;
pub mod tally;
pub mod time_control;
pub mod tune;
mod workers;
