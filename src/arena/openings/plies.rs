//! Every position a few plies after the start position.

use std::collections::HashSet;

use crate::erased::Game;
use crate::rules::Variant;

use super::Opening;

/// The positions after `plies` plies in which the side to move has no capture and the game is not
/// over, each with the first sequence of moves that leads to it. The openings are sorted by these
/// sequences.
pub(super) fn openings(variant: Variant, plies: u8) -> Vec<Opening> {
    let mut games = vec![Game::new(variant)];
    for _ in 0..plies {
        games = one_ply_on(&games);
    }
    games
        .into_iter()
        .filter(|game| !game.position().has_capture() && game.outcome().is_none())
        .zip(1..)
        .map(|(game, number)| Opening { name: format!("{plies}-ply {number}"), game })
        .collect()
}

/// All games that are one ply longer, keeping the first of those that lead to the same position.
///
/// The first sequence to a position begins with the first sequence to the position before, so
/// keeping only one per ply loses nothing.
fn one_ply_on(games: &[Game]) -> Vec<Game> {
    let mut seen = HashSet::new();
    let mut longer = Vec::new();
    for game in games {
        for mv in game.position().sorted_moves() {
            if seen.insert(game.position().after(mv)) {
                let mut game = game.clone();
                game.play(mv);
                longer.push(game);
            }
        }
    }
    longer
}
