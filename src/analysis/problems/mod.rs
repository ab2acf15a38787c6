//! Problems: positions in which the side to move has to reach a goal.
//!
//! - [`Goal`]: the goal.
//! - [`Solver`]: which moves reach the goal, and whether a stated solution holds.
//! - [`Proof`]: how a move reaches it against every reply, as a tree.
//!
//! Wins and draws are proven by searches that are checked reply by reply, to the end of the game or
//! to a bitbase (`proof`); wins in N moves by exhaustive search (`win_in`); gains of material as
//! shots.

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
