//! Weights: where the static evaluation of a game comes from, and its files.
//!
//! [`learn::train`](crate::learn::train) makes the networks that [`eval`](crate::eval) computes
//! with.

pub mod file;
mod parts;
mod source;
#[cfg(test)]
mod tests;

pub use file::{TrainingData, WeightsError, WeightsFile, WeightsInfo, WeightsProblem};
pub use parts::FactorizedNetwork;
pub use source::{WeightsSource, embedded};
