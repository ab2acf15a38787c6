//! Matches between engines.
//!
//! A [`plan`] describes a match; the [`runner`] plays it. From the top down:
//!
//! - [`runner`]: plays a plan on several threads. `workers` manages the threads, each with its own
//!   engine processes. [`parts`] collects games played by several processes.
//! - [`plan`], [`schedule`], [`openings`]: the settings of a match, its pairings and their order,
//!   and the positions from which the engines play.
//! - [`referee`]: plays one game, applying rules and clocks and handling engine faults;
//!   [`adjudication`] ends games early.
//! - [`client`]: engine processes, restarted after faults, and the protocols they speak.
//! - [`spec`], [`engine_list`], [`time_control`]: engines and their limits, as described by the
//!   user, and files of named engines.
//! - [`played`]: the record of a finished game. A [log](crate::runtime::log) stores it, [`mod@pdn`]
//!   converts it to PDN, [`tally`] counts it, and [`summary`] evaluates the counts with [`stats`];
//!   [`warnings`] reports signs that the results are unreliable.
//! - [`speed`]: measures how fast engines search.
//! - [`tune`]: tunes the parameters of an engine with SPSA, by self-play.

pub mod adjudication;
pub mod client;
pub mod engine_list;
pub mod openings;
pub mod parts;
pub mod pdn;
pub mod plan;
pub mod played;
pub mod referee;
pub mod runner;
pub mod schedule;
pub mod spec;
pub mod speed;
pub mod stats;
pub mod summary;
pub mod tally;
pub mod time_control;
pub mod tune;
pub mod warnings;
mod workers;
