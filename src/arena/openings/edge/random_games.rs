//! Random games by number.

use std::ops::RangeInclusive;

use rand::RngExt;

use crate::engine::{game_rng, playout};
use crate::erased::Game;
use crate::rules::Variant;

/// The number of plies of a game, itself random.
const PLIES: RangeInclusive<usize> = 6..=14;
/// Attempts to play a game that ends quietly.
const ATTEMPTS: usize = 20;

/// Games of random moves from the start position. Each depends only on the variant, the seed and
/// its number.
#[derive(Clone, Debug)]
pub struct RandomGames {
    start: Game,
    seed: u64,
}

impl RandomGames {
    /// The games of a seed.
    pub fn new(variant: Variant, seed: u64) -> Self {
        RandomGames { start: Game::new(variant), seed }
    }

    /// The game with a number: the first of several attempts that is not over and after which
    /// neither side could capture. `None` if all fail.
    pub fn get(&self, number: u64) -> Option<Game> {
        let mut rng = game_rng(self.seed, number);
        (0..ATTEMPTS)
            .filter_map(|_| {
                let plies = rng.random_range(PLIES);
                playout(&self.start, plies, &mut rng)
            })
            .find(|game| !game.position().is_threatened())
    }
}
