//! Tunes the numeric parameters of an engine by self-play.
//!
//! The method is SPSA, simultaneous perturbation stochastic approximation: J. C. Spall,
//! "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", IEEE Transactions on Automatic Control 37 (1992), and "Implementation of the
//! simultaneous perturbation algorithm for stochastic optimization", IEEE Transactions on Aerospace
//! and Electronic Systems 34 (1998). Each step offsets every parameter up or down at random, and
//! plays games between the engine with these values (the plus side) and the engine with the
//! opposite offsets (the minus side). The parameters then move towards the values of the winner.
//! The input format and the names follow Stockfish's fishtest and OpenBench.
//!
//! From the top down:
//!
//! - `runner`: plays the games of a plan on several threads, alone or as one of several processes.
//! - `tuner`: computes steps and parameter values from finished games, independently of engines.
//! - `spsa`: the gains and the random perturbations of a step.
//! - `parameter`: a parameter and its settings, as specified by the user.
//! - `chart`: draws the history of the parameter values.

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
