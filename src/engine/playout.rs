//! Random games.

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use crate::erased::Game;

/// The game continued by `plies` random moves. `None` if the game is over by then, or if the side
/// to move must capture in the last position.
///
/// Moves are drawn from a sorted list, so that the resulting game does not depend on the order in
/// which moves are generated.
pub fn playout(start: &Game, plies: usize, rng: &mut impl Rng) -> Option<Game> {
    let mut game = start.clone();
    for _ in 0..plies {
        let mv = *game.position().sorted_moves().choose(rng)?;
        game.play(mv);
        if game.outcome().is_some() {
            return None;
        }
    }
    (!game.position().has_capture()).then_some(game)
}

/// The random number generator for game `number` of a run with this seed, the same on every
/// machine.
pub fn game_rng(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    /// 2^64 divided by the golden ratio. It is odd, so all games of a run get different random
    /// numbers.
    const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;
    Xoshiro256PlusPlus::seed_from_u64(seed ^ number.wrapping_mul(STRIDE))
}
