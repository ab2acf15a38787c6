//! The Hub protocol, version 2: lines of text on standard input and output.
//!
//! A line passes through these files, one after the other:
//!
//! - `reader`: bytes into lines, on a thread of its own.
//! - `parse`: a line into a command word and arguments.
//! - `commands`: those into a typed `Command`; with `numbers` and `level`.
//! - `session`: the loop that carries commands out; with `params`, `player` and `searcher`.
//! - `replies`: answers into lines, with `format`; `throttle` keeps their number down.
//!
//! The engine side of the protocol is [`run`]. [`Line`], [`LineBuilder`], [`parse_number`] and
//! [`variant_name`] are the words that both sides share.

mod commands;
mod format;
mod level;
mod numbers;
mod params;
mod parse;
mod player;
mod reader;
mod replies;
mod searcher;
mod session;
mod throttle;

pub use format::LineBuilder;
pub use numbers::parse as parse_number;
pub use params::{Tuning, variant_name};
pub use parse::Line;
pub use session::run;
