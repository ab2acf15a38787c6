//! What is in some games.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::board::Side;
use crate::learn::data::Sample;
use crate::movegen;
use crate::rules::Rules;

/// Counts of games and their positions.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Statistics {
    /// Games.
    pub games: u64,
    /// Games won by White.
    pub white: u64,
    /// Games drawn, or without a stored position.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// Stored positions.
    pub positions: u64,
    /// Positions that the opponent threatens with a capture.
    pub threatened: u64,
    /// Positions that are proven won or lost.
    pub decisive: u64,
    /// Positions by their number of pieces.
    pub pieces: BTreeMap<usize, u64>,
    /// How far the scores are from 0, in men, on average over all that are not proven.
    pub mean_score: f64,
}

impl Statistics {
    /// Adds a game.
    pub fn add<R: Rules>(&mut self, game: &[Sample<R::Geometry>]) {
        self.games += 1;
        match game.first().and_then(|sample| sample.winner) {
            Some(Side::White) => self.white += 1,
            Some(Side::Black) => self.black += 1,
            None => self.draws += 1,
        }
        for sample in game {
            self.add_position::<R>(sample);
        }
    }

    fn add_position<R: Rules>(&mut self, sample: &Sample<R::Geometry>) {
        self.positions += 1;
        *self.pieces.entry(sample.pieces()).or_default() += 1;
        let position = sample.setup.position::<R>();
        self.threatened +=
            u64::from(position.is_ok_and(|position| movegen::is_threatened(&position)));
        if sample.score.is_decisive() {
            self.decisive += 1;
        } else {
            let distance = f64::from(sample.score.0.abs()) / 100.0;
            self.mean_score +=
                (distance - self.mean_score) / (self.positions - self.decisive) as f64;
        }
    }
}
