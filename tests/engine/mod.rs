//! The engine: the search, the Hub session and the command line, mostly tested with the real
//! program.

mod analyze;
mod book;
pub(crate) mod cli;
pub mod client;
mod endings;
mod evaluation;
#[cfg(target_os = "linux")]
mod first_search;
mod hub_clock;
mod hub_properties;
mod hub_session;
mod hub_slices;
mod levels;
mod limits;
mod multipv;
mod params_at_their_ends;
mod proof;
pub(crate) mod pydraughts;
mod search;
mod search_limits;
mod searching;
mod turkish;
mod weights;
