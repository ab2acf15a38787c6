//! Weights: where the static evaluation of a game comes from, and its files.
//!
//! [`learn::train`](crate::learn::train) makes the networks that [`eval`](crate::eval) computes
//! with.

pub mod file;
mod parts;
mod source;
#[cfg(test)]
mod tests;

pub use file::{TrainingData, WeightsAbout, WeightsError, WeightsFile, WeightsProblem};
pub use parts::Parts;
pub use source::{WeightsSource, of_program};
