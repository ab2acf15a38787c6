//! Random moves.

use rand::Rng;
use rand::seq::IndexedRandom;

use crate::door::Game;

/// The game continued by `plies` random moves. `None` if it ends on the way, or if the side to move
/// must capture in the last position.
///
/// Moves are drawn from a sorted list, so the same random numbers give the same game for any order
/// of the move generator.
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
