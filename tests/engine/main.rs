//! The engine: the search, the Hub session and the command line, mostly as the real program.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analyze;
mod book;
mod cli;
mod client;
mod endings;
mod hub_clock;
mod hub_properties;
mod hub_session;
mod limits;
mod multipv;
mod proof;
mod pydraughts;
mod search;
mod weights;
