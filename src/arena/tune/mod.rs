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
//! - `runner`: plays the games of a plan, several at a time, alone or as one of several processes.
//! - `tuner`: the numbers and the steps that result from finished games; knows no engines.
//! - `spsa`: the gains and the random perturbations of a step.
//! - `parameter`: a number and its limits, as a user describes it.
//! - `chart`: the history of the numbers as a picture.

mod chart;
mod parameter;
mod runner;
mod spsa;
mod tuner;

pub use chart::chart;
pub use parameter::{Parameter, ParameterError, ParameterText, default_rate, parse_list};
pub use runner::{
    PartLogs, TuneCause, TuneEnding, TuneEvent, TunePlan, TuneRecorder, max_faults, resolve, run,
};
pub use spsa::{Gains, TuneLength};
pub use tuner::{AppliedStep, FinishedPair, PairResult, PairTask, TunePart, Tuner, TunerSettings};
