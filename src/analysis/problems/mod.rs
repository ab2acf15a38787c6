//! Problems: positions in which the side to move has to reach a goal.
//!
//! - [`Goal`]: the goal of a problem.
//! - [`Solver`]: finds the moves that reach the goal, and checks stated solutions.
//! - [`Proof`]: a tree that shows how a move reaches the goal against every reply.
//!
//! Wins and draws are proven by searches that are verified for every reply, to the end of the game
//! or to a bitbase (`proof`), wins in N moves by exhaustive search (`win_in`), and gains of
//! material by finding a shot.

#[cfg(feature = "program")]
mod pool;
mod problem;
mod proof;
mod solver;
mod win_in;

#[cfg(feature = "program")]
pub use pool::SolverPool;
pub use problem::{Dual, Goal, MoveVerdict, Problem, Solution, SolutionCheck};
pub use proof::{Proof, ProofEnd, ProofStep, ScoreAtDepth};
pub use solver::Solver;
