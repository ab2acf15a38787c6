//! How long a search may take.
//!
//! - `budget`: what the limits and the game clock allow for a move, before the search.
//! - `pace`: how much of it the move deserves, by what the iterations find.
//! - `stopwatch`: both together against the time that passes, pondering included.

mod budget;
mod pace;
mod stopwatch;

pub(super) use pace::Iteration;
pub(super) use stopwatch::Stopwatch;
