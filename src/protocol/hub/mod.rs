//! The Hub protocol, version 2: lines of text on standard input and output.
//!
//! A line passes through these modules in order:
//!
//! - `reader`: bytes into lines, on its own thread.
//! - `parse`: a line into a command word and arguments.
//! - `commands`: those into a typed `HubCommand`, with `numbers`, `level` and `position`.
//! - `session`: the loop that executes commands, with `params`, `searcher` and `throttle`; the
//!   reader and the search thread send it each `event`. Without threads, `session::slices`.
//! - `replies`: answers into lines, with `format`.
//!
//! [`run`] is the engine side of the protocol, and so is [`SlicedSession`] where there is only one
//! thread. [`HubLine`], [`LineBuilder`], [`parse_number`] and
//! [`variant_name`] are shared by both sides.

mod commands;
mod event;
mod format;
mod level;
mod numbers;
mod params;
mod parse;
mod position;
mod reader;
mod replies;
mod search_thread;
mod searcher;
mod session;
mod throttle;

pub use format::LineBuilder;
pub use numbers::parse as parse_number;
pub use params::{Tunables, variant_name};
pub use parse::HubLine;
pub use session::{SlicedSession, run, run_bounded};
