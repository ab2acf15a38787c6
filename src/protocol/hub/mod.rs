//! The Hub protocol, version 2: lines of text on standard input and output.
//!
//! A line passes through these files, one after the other:
//!
//! - `reader`: bytes into lines, on a thread of its own.
//! - `parse`: a line into a command word and arguments.
//! - `commands`: those into a typed `Command`; with `numbers` and `level`.
//! - `session`: the loop that carries commands out; with `params` and `player`.
//! - `replies`: answers into lines; with `throttle`, which keeps their number down.

mod commands;
mod level;
mod numbers;
mod params;
mod parse;
mod player;
mod reader;
mod replies;
mod session;
mod throttle;

pub use session::run;
