//! Training examples: samples as features and targets, in parallel arrays.

use crate::erased::{NetworkInput, Position};
use crate::eval::network::features::{FeatureShape, STATES};
use crate::game::GameResult;
use crate::learn::data::Sample;
use crate::rules::Variant;

/// The greatest score to learn from, in hundredths of a man: greater ones are of decided games, and
/// their exact values are meaningless.
const MAX_SCORE: i16 = 7000;

/// Examples, by number.
#[derive(Default)]
pub(super) struct Examples {
    /// For each window its states in all examples.
    pub(super) states: Vec<Vec<u16>>,
    /// The rows of kings of all examples, counted from the first such row, and where those of each
    /// example begin; one more entry marks the end of the last.
    pub(super) kings: Vec<u16>,
    pub(super) king_starts: Vec<u32>,
    /// The numbers of pieces on the board.
    pub(super) pieces: Vec<u8>,
    /// What a lead of the side to move, and of the opponent, is divided by.
    pub(super) divisors: Vec<[u8; 2]>,
    /// The winning chances for the network to predict.
    pub(super) targets: Vec<f32>,
    /// The results of the games; `None` in digressions.
    pub(super) results: Vec<Option<GameResult>>,
}

impl Examples {
    /// No examples, of a board with these features.
    pub(super) fn new(shape: FeatureShape) -> Self {
        Examples {
            states: vec![Vec::new(); shape.windows],
            king_starts: vec![0],
            ..Examples::default()
        }
    }

    /// The number of examples.
    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    /// Adds a sample, unless its game is decided. `share` is the weight of the game's result in the
    /// target, the score has the rest; in a digression the score has all.
    pub(super) fn add(&mut self, variant: Variant, sample: &Sample, share: f32) {
        let Ok(position) = Position::from_setup(variant, &sample.setup) else { return };
        if sample.score.0.abs() > MAX_SCORE {
            return;
        }
        let NetworkInput { rows, divisors } = position.network_input();
        let kings = self.states.len() * STATES;
        for row in rows {
            match row < kings {
                true => self.states[row / STATES].push((row % STATES) as u16),
                false => self.kings.push((row - kings) as u16),
            }
        }
        self.king_starts.push(self.kings.len() as u32);
        self.pieces.push(position.occupied().len() as u8);
        self.divisors.push(divisors);
        let result = (!sample.is_aside).then(|| GameResult::of(sample.winner, position.side()));
        let score = chance(f32::from(sample.score.0) / 100.0);
        let points = |result: GameResult| f32::from(result.half_points()) / 2.0;
        let target = |result| share * points(result) + (1.0 - share) * score;
        self.targets.push(result.map_or(score, target));
        self.results.push(result);
    }

    /// The rows of kings of an example.
    #[inline]
    pub(super) fn kings_of(&self, example: usize) -> &[u16] {
        &self.kings[self.king_starts[example] as usize..self.king_starts[example + 1] as usize]
    }
}

/// The winning chance for a lead in men: the logistic function.
#[inline]
pub(super) fn chance(lead: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-lead))
}
