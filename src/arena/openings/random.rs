//! Openings that continue with random moves.

use std::collections::HashSet;

use rand::Rng;
use rand::seq::SliceRandom;

use crate::engine::playout;
use crate::erased::Position;

use super::Opening;

/// The maximum number of random plies after an opening.
pub const MAX_RANDOM_PLIES: usize = 100;

/// Attempts to find new random moves after an opening before the next opening's turn.
const ATTEMPTS: usize = 100;
/// Consecutive turns without a new position after which the search is given up, unless the list is
/// longer.
const TURNS: usize = 100;

/// Adds random plies to the openings of a list, which take turns in random order until there are
/// `count` different positions.
///
/// # Errors
///
/// A message: too many plies are asked for, or too few positions can be found.
pub(super) fn extended(
    mut list: Vec<Opening>,
    plies: usize,
    count: usize,
    rng: &mut impl Rng,
) -> Result<Vec<Opening>, String> {
    if plies > MAX_RANDOM_PLIES {
        return Err(format!("at most {MAX_RANDOM_PLIES} random plies, not {plies}"));
    }
    let (mut openings, mut seen) = (Vec::new(), HashSet::new());
    let (mut failed, patience) = (0, list.len().max(TURNS));
    while openings.len() < count {
        list.shuffle(rng);
        for opening in &list {
            if openings.len() == count {
                break;
            }
            if failed == patience {
                return Err(exhausted(openings.len(), plies, count));
            }
            match extend(opening, plies, &seen, rng) {
                Some(extended) => {
                    seen.insert(*extended.game.position());
                    openings.push(extended);
                    failed = 0;
                }
                None => failed += 1,
            }
        }
    }
    Ok(openings)
}

fn exhausted(found: usize, plies: usize, count: usize) -> String {
    format!(
        "only {found} different positions found with random plies ({plies}), of {count} asked for; \
         fewer games, more random plies or more openings would do"
    )
}

/// An opening continued by random plies that lead to a new position; `None` if several attempts
/// fail.
fn extend(
    opening: &Opening,
    plies: usize,
    seen: &HashSet<Position>,
    rng: &mut impl Rng,
) -> Option<Opening> {
    (0..ATTEMPTS)
        .filter_map(|_| playout(&opening.game, plies, rng))
        .find(|game| !seen.contains(game.position()))
        .map(|game| Opening { name: format!("{} + {plies} random", opening.name), game })
}
