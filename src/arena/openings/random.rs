//! Openings that go on with random moves.

use std::collections::HashSet;

use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::game::Game;
use crate::movegen;
use crate::position::Position;
use crate::rules::Rules;

use super::{Opening, ordered_moves};

/// The most random plies that may follow an opening.
pub const MOST_RANDOM_PLIES: usize = 100;

/// How often random moves are tried after an opening before it is the next one's turn.
const ATTEMPTS: usize = 100;
/// How many turns without a new position end the search, unless the list is longer.
const TURNS: usize = 100;

/// Adds random plies to the openings of a list, which take turns in random order until there are
/// `count` different positions.
///
/// # Errors
///
/// Too many plies, or too few positions; says so.
pub(super) fn extended<R: Rules>(
    mut list: Vec<Opening<R>>,
    plies: usize,
    count: usize,
    rng: &mut impl Rng,
) -> Result<Vec<Opening<R>>, String> {
    if plies > MOST_RANDOM_PLIES {
        return Err(format!("at most {MOST_RANDOM_PLIES} random plies, not {plies}"));
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

/// An opening with random plies that lead to a new position; `None` if several attempts fail.
fn extend<R: Rules>(
    opening: &Opening<R>,
    plies: usize,
    seen: &HashSet<Position<R>>,
    rng: &mut impl Rng,
) -> Option<Opening<R>> {
    (0..ATTEMPTS)
        .filter_map(|_| playout(&opening.game, plies, rng))
        .find(|game| !seen.contains(game.position()))
        .map(|game| Opening { name: format!("{} + {plies} random", opening.name), game })
}

/// A game with random plies; `None` if it ends on the way or a capture is pending at last.
pub fn playout<R: Rules>(start: &Game<R>, plies: usize, rng: &mut impl Rng) -> Option<Game<R>> {
    let mut game = start.clone();
    for _ in 0..plies {
        let mv = *ordered_moves(game.position()).choose(rng)?;
        game.play(mv);
        if game.outcome().is_some() {
            return None;
        }
    }
    (!movegen::has_capture(game.position())).then_some(game)
}
