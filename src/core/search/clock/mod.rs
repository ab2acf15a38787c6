//! Time management.
//!
//! - `budget`: the time the limits and the game clock allow for a move, set before the search.
//! - `pace`: the share of it the move deserves, by the results of the iterations.
//! - `stopwatch`: both checked against elapsed time, pondering included.

mod budget;
mod pace;
mod stopwatch;

pub(super) use budget::phase;
pub(super) use pace::Iteration;
pub(super) use stopwatch::Stopwatch;
