//! Positions as the trainer needs them: features and what to learn, many beside each other.

use crate::eval::divisor;
use crate::eval::network::features::{Features, STATES, each_row};
use crate::learn::data::Sample;
use crate::movegen;
use crate::position::Pieces;
use crate::rules::Rules;

/// Scores beyond so many hundredths of a man are of games that are over: what they are worth exactly
/// does not matter.
const MOST_SCORE: i16 = 7000;

/// Examples, by number.
#[derive(Default)]
pub(super) struct Examples {
    /// For each window the states of all examples.
    pub(super) states: Vec<Vec<u16>>,
    /// The rows of kings of all examples, those of the first kind counted from 0, and where those of
    /// each example begin; one more for the end of the last.
    pub(super) kings: Vec<u16>,
    pub(super) king_starts: Vec<u32>,
    /// Pieces on the board.
    pub(super) pieces: Vec<u8>,
    /// What a lead of the side to move, and of the opponent, is divided by.
    pub(super) divisors: Vec<[u8; 2]>,
    /// The chance to win that the network is to tell.
    pub(super) targets: Vec<f32>,
}

impl Examples {
    /// None yet, of a board.
    pub(super) fn new<G: Features>() -> Self {
        Examples {
            states: vec![Vec::new(); G::WINDOWS],
            king_starts: vec![0],
            ..Examples::default()
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    /// Adds a sample, unless nothing can be learned from it: its score is that of a game that is over, or
    /// the opponent threatens a capture, which only a search can judge. `share` of the target is the
    /// result of the game, the rest the score; it is all score where the game has been left.
    pub(super) fn add<R: Rules>(&mut self, sample: &Sample<R::Geometry>, share: f32) {
        let Ok(position) = sample.setup.position::<R>() else { return };
        if sample.score.0.abs() > MOST_SCORE || movegen::is_threatened(&position) {
            return;
        }
        let pieces = Pieces::of(&position);
        let kings = <R::Geometry as Features>::KINGS;
        each_row(&pieces, |row| match row < kings {
            true => self.states[row / STATES].push((row % STATES) as u16),
            false => self.kings.push((row - kings) as u16),
        });
        self.king_starts.push(self.kings.len() as u32);
        self.pieces.push(pieces.occupied().len() as u8);
        let side = position.side();
        self.divisors.push([side, side.opponent()].map(|ahead| divisor(&position, ahead) as u8));
        let share = if sample.is_aside { 0.0 } else { share };
        let result = match sample.winner {
            None => 0.5,
            Some(winner) if winner == side => 1.0,
            Some(_) => 0.0,
        };
        let score = chance(f32::from(sample.score.0) / 100.0);
        self.targets.push(share * result + (1.0 - share) * score);
    }

    /// The rows of kings of an example.
    pub(super) fn kings_of(&self, example: usize) -> &[u16] {
        &self.kings[self.king_starts[example] as usize..self.king_starts[example + 1] as usize]
    }
}

/// The chance to win with a lead in men: logistic.
pub(super) fn chance(lead: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-lead))
}
