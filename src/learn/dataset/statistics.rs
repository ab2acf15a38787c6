//! Statistics of games.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::board::Side;
use crate::erased::Position;
use crate::learn::data::Sample;
use crate::rules::Variant;

/// Counts of games and their samples.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct GameStatistics {
    /// Games.
    pub games: u64,
    /// Games won by White.
    pub white: u64,
    /// Games drawn, or without a sample.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// Samples.
    pub positions: u64,
    /// Positions in which the opponent threatens to capture.
    pub threatened: u64,
    /// Positions that are proven won or lost.
    pub decisive: u64,
    /// Positions by their number of pieces.
    pub pieces: BTreeMap<usize, u64>,
    /// The mean absolute value of the scores that are not proven, in men.
    pub mean_score: f64,
}

impl GameStatistics {
    /// Adds a game.
    pub fn add(&mut self, variant: Variant, game: &[Sample]) {
        self.games += 1;
        match game.first().and_then(|sample| sample.winner) {
            Some(Side::White) => self.white += 1,
            Some(Side::Black) => self.black += 1,
            None => self.draws += 1,
        }
        for sample in game {
            self.add_sample(variant, sample);
        }
    }

    fn add_sample(&mut self, variant: Variant, sample: &Sample) {
        self.positions += 1;
        *self.pieces.entry(sample.pieces()).or_default() += 1;
        let position = Position::from_setup(variant, &sample.setup);
        self.threatened += u64::from(position.is_ok_and(|position| position.is_threatened()));
        if sample.score.is_decisive() {
            self.decisive += 1;
        } else {
            let distance = f64::from(sample.score.0.abs()) / 100.0;
            self.mean_score +=
                (distance - self.mean_score) / (self.positions - self.decisive) as f64;
        }
    }
}
