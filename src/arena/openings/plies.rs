//! Every position a few plies after the start position.

use std::collections::HashSet;

use crate::game::Game;
use crate::movegen;
use crate::rules::Rules;

use super::{Opening, ordered_moves};

/// The positions after `plies` plies in which the side to move has nothing to capture and the game
/// is not over. Of the ways to a position it keeps the first in the order of moves, and the
/// openings are in that order too.
pub(super) fn openings<R: Rules>(plies: u8) -> Vec<Opening<R>> {
    let mut games = vec![Game::default()];
    for _ in 0..plies {
        games = one_ply_on(&games);
    }
    games
        .into_iter()
        .filter(|game| !movegen::has_capture(game.position()) && game.outcome().is_none())
        .zip(1..)
        .map(|(game, number)| Opening { name: format!("{plies}-ply {number}"), game })
        .collect()
}

/// Every game that is one ply longer, the first of those that lead to the same position.
///
/// The first way to a position starts with the first way to the position before, so nothing is lost
/// by keeping only one of each at every ply.
fn one_ply_on<R: Rules>(games: &[Game<R>]) -> Vec<Game<R>> {
    let mut seen = HashSet::new();
    let mut longer = Vec::new();
    for game in games {
        for mv in ordered_moves(game.position()) {
            if seen.insert(game.position().after(mv)) {
                let mut game = game.clone();
                game.play(mv);
                longer.push(game);
            }
        }
    }
    longer
}
