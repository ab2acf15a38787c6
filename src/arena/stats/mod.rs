//! The statistics of matches: strength, its uncertainty, and when to stop.
//!
//! Everything is computed from a [`Pentanomial`], the counts of pairs of games by score: Elo with
//! its uncertainty in `elo`, the sequential test in `sprt`, both based on the mathematics of
//! `likelihood`.
//!
//! ```
//! use manoury::arena::stats::{EloModel, Pentanomial, Sprt, logistic_elo};
//!
//! let pairs = Pentanomial::from_counts([20, 300, 1500, 380, 30]);
//! let elo = logistic_elo(&pairs);
//! assert!(elo.low < elo.value && elo.value < elo.high);
//!
//! let sprt = Sprt::new("0,5".parse()?, 0.05, 0.05, EloModel::Normalized)?;
//! assert!(sprt.llr(&pairs) > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounds;
mod elo;
mod likelihood;
mod pentanomial;
mod sprt;

pub use bounds::{BoundsError, EloBounds};
pub use elo::{Estimate, elo_to_score, logistic_elo, normalized_elo, score_to_elo, superiority};
pub use pentanomial::Pentanomial;
pub use sprt::{EloModel, Sprt, SprtError, SprtVerdict};
