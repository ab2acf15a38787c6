//! Matches between engines.
//!
//! A match is described by a [`plan`] and carried out by the [`runner`]. From the top down:
//!
//! - [`runner`]: plays a plan, several games at a time, and hands out finished games.
//! - [`plan`], [`schedule`], [`openings`]: who plays whom, and from where.
//! - [`referee`]: one game: rules, clocks, faults; with [`adjudication`], which ends games early.
//! - [`seat`]: an engine that is started when needed and again after a fault.
//! - [`client`]: engine processes and the protocols they speak; with [`interrupt`].
//! - [`spec`], [`time_control`]: what users say about engines and their limits.
//! - [`played`]: the record of a finished game. The [`log`] keeps it, [`mod@pdn`] writes it, the
//!   [`tally`] counts it, and [`summary`] draws conclusions with [`stats`].

pub mod adjudication;
pub mod client;
pub mod interrupt;
pub mod log;
pub mod openings;
pub mod pdn;
pub mod plan;
pub mod played;
pub mod referee;
pub mod runner;
pub mod schedule;
pub mod seat;
pub mod spec;
pub mod stats;
pub mod summary;
pub mod tally;
pub mod time_control;
