//! Problems: positions in which the side to move has to reach a goal.
//!
//! - [`Goal`]: what has to be reached.
//! - [`Solver`]: what every move does for the goal, and whether a stated solution holds.
//! - [`Proof`]: how a move does it against every reply, as a tree.
//!
//! Wins and draws are proven by searches that are checked reply by reply, to the end of the game or
//! to a bitbase (`prover`); wins within some moves by trying everything (`within`); gains of
//! material as shots are.

mod goal;
mod problem;
mod proof;
mod prover;
mod solution;
mod solver;
mod within;

pub use goal::Goal;
pub use problem::Problem;
pub use proof::{End, Proof, Step};
pub use prover::Seen;
pub use solution::{Dual, Solution, Standing, Stated};
pub use solver::Solver;
