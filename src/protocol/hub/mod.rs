//! The Hub protocol, version 2: lines of text on standard input and output.
//!
//! [`run`] is the engine side of the protocol, and so is [`SlicedSession`] where there is only one
//! thread. A line passes through these modules in order:
//!
//! - `threads`: reads lines on its own thread, and searches on another; both send `HubEvent`s.
//! - `line`: splits a line into a command word and arguments.
//! - `commands`: those as a typed `HubCommand`.
//! - `session`: the loop that executes commands, with the values of `params`; `sliced` without
//!   threads.
//! - `replies`: the answers, of which `throttle` limits the rate of `info` lines.
//!
//! [`HubLine`], [`LineBuilder`], [`parse_number`] and [`variant_name`] are shared by both sides of
//! the protocol.
//!
//! # Parameters
//!
//! `manoury help hub` describes all parameters, with their ranges and defaults: the text is
//! [`parameter_help`], made from the list that also declares them to clients. Numbers out of range
//! are clamped; unknown parameters and invalid values are ignored.
//!
//! # Extensions
//!
//! - `multipv` above 1: every `info` line ends with `multipv=` and the rank of its line.
//! - `pos` takes `wolf="W28=2 B13=1"`: the counters of the three-king-moves rule in Frisian games.
//! - `level` takes `handicap` and `ply`, as lidraughts' move server sends them.

mod commands;
mod line;
mod params;
mod replies;
mod session;
mod threads;
mod throttle;

pub use line::{HubLine, LineBuilder, parse_number};
pub use params::{Tunables, parameter_help, variant_name};
pub use session::{SlicedSession, run, run_bounded};
