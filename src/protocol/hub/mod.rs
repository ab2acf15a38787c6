//! The Hub protocol, version 2: lines of text on standard input and output.
//!
//! [`run`] implements the engine side of the protocol; [`SlicedSession`] does the same on hosts
//! that have only one thread. A line passes through these modules in order:
//!
//! - `threads`: one thread reads lines, another one searches; both send `HubEvent`s.
//! - `line`: splits a line into a command word and arguments.
//! - `commands`: converts these into a typed `HubCommand`.
//! - `session`: executes commands in a loop, using the values of `params`; `sliced` does the same
//!   without threads.
//! - `replies`: formats the answers; `throttle` limits the rate of `info` lines.
//!
//! [`HubLine`], [`LineBuilder`], [`parse_number`] and [`variant_name`] are shared by both sides of
//! the protocol.
//!
//! # Parameters
//!
//! `manoury help hub` describes all parameters, with their ranges and defaults. [`parameter_help`]
//! generates this text from the list that also declares the parameters to clients. Numbers out of
//! range are clamped; unknown parameters and invalid values are ignored.
//!
//! # Extensions
//!
//! - `multipv` above 1: every `info` line ends with `multipv=` and the rank of the variation that
//!   it describes.
//! - `pos` accepts `wolf="W28=2 B13=1"`: the counters of the three-king-moves rule in Frisian
//!   draughts.
//! - `level` accepts `handicap` and `ply`, as lidraughts' move server sends them.

mod commands;
mod line;
mod params;
mod replies;
mod session;
mod threads;
mod throttle;

pub use line::{HubLine, LineBuilder, parse_number};
pub use params::{ParamBounds, Tunables, parameter_help, variant_name};
pub use session::{SlicedSession, run, run_bounded};
