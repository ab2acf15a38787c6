//! Tuning the numbers of an engine by games against itself.
//!
//! The method is SPSA, simultaneous perturbation stochastic approximation: J. C. Spall,
//! "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", IEEE Transactions on Automatic Control 37 (1992), and "Implementation of the
//! simultaneous perturbation algorithm for stochastic optimization", IEEE Transactions on Aerospace
//! and Electronic Systems 34 (1998). Each step moves every number a little up or down, at random,
//! and plays games between the engine with these values and the engine with the opposite ones; the
//! numbers then move towards the winner. The form and the names are those of Stockfish's fishtest
//! and of OpenBench.
//!
//! From the top down:
//!
//! - [`runner`]: plays the games of a [`plan`], several at a time, each at a `worker`; the workers
//!   share a [`queue`].
//! - [`tuner`]: the numbers, and what the finished games have made of them; knows no engines.
//! - [`share`]: the pairs that this process plays, and what it knows of others, from [`share_logs`].
//! - [`pair`]: a pair of games.
//! - [`gains`]: how far a step tries, and how far it moves. `trial`: what is random in a step.
//! - [`parameter`]: a number and its limits, as a user describes it; [`list`]: many of them.
//! - [`chart`]: the way of the numbers as a picture.

pub mod chart;
pub mod gains;
pub mod list;
pub mod pair;
pub mod parameter;
pub mod plan;
pub mod queue;
pub mod runner;
pub mod share;
pub mod share_logs;
mod trial;
pub mod tuner;
mod worker;
