//! A pair of games: what is to be played, and how it has ended.

use serde::{Deserialize, Serialize};

use crate::game::GameResult;

/// A pair of games to be played.
#[derive(Clone, PartialEq, Debug)]
pub struct PairTask {
    /// Its index among all pairs.
    pub index: usize,
    /// The values of the plus side and of the minus side.
    pub values: [Vec<f64>; 2],
}

/// How a pair of games has ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PairResult {
    /// The scores of the plus side.
    Played([GameResult; 2]),
    /// A game was lost by a fault, so the pair does not count: what happened.
    Faulty(String),
}

/// A pair that has ended. As JSON it is a line in the log of a share.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename = "pair")]
pub struct EndedPair {
    /// Its index among all pairs, from 0.
    pub pair: usize,
    /// How it has ended.
    #[serde(flatten)]
    pub result: PairResult,
}
