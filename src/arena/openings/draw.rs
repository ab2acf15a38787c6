//! Drawing openings without repetition, with random moves after them.

use std::collections::HashSet;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

use crate::engine::playout;
use crate::erased::Position;
use crate::rules::Variant;

use super::{Opening, OpeningError, OpeningList, OpeningSource};

/// Openings in the order in which they are played.
#[derive(Clone, Debug)]
pub struct OpeningSequence {
    /// The openings.
    pub openings: Vec<Opening>,
    /// The number of different openings: they come first, and each later round of the same length
    /// contains all of them again in another order.
    pub distinct: usize,
    /// The number of games of a file that were left out.
    pub skipped: usize,
}

/// Draws `count` openings of a source, each followed by `random_plies` random moves.
///
/// Without random plies, every opening of the source comes once before any is repeated. With random
/// plies, no position is repeated, none has a capture pending, and the openings of the source take
/// turns.
///
/// The same seed draws the same openings on every machine, and a smaller count draws the first
/// openings of a larger one.
///
/// # Errors
///
/// Those of [`OpeningSource::openings`]; more random plies than
/// [`MAX_RANDOM_PLIES`]; fewer different positions after random plies
/// than requested.
pub fn draw(
    variant: Variant,
    source: &OpeningSource,
    random_plies: usize,
    seed: u64,
    count: usize,
) -> Result<OpeningSequence, OpeningError> {
    let OpeningList { openings: list, skipped } = source.list(variant)?;
    // This generator is the same in every release and on every machine.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    if random_plies > 0 {
        let openings = extended(list, random_plies, count, &mut rng)
            .map_err(|fault| OpeningError::Input(format!("{source}: {fault}")))?;
        return Ok(OpeningSequence { distinct: openings.len(), openings, skipped });
    }
    let distinct = list.len().min(count);
    Ok(OpeningSequence { openings: rounds(list, count, &mut rng), distinct, skipped })
}

/// The list in random order, repeated in a new order each time.
fn rounds(mut list: Vec<Opening>, count: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<Opening> {
    let mut openings = Vec::new();
    while openings.len() < count {
        list.shuffle(rng);
        let missing = count - openings.len();
        openings.extend(list.iter().take(missing).cloned());
    }
    openings
}

/// The maximum number of random plies after an opening.
pub const MAX_RANDOM_PLIES: usize = 100;

/// Attempts to find new random moves after an opening before trying the next opening.
const ATTEMPTS: usize = 100;
/// Consecutive turns without a new position after which drawing fails, unless the list is longer.
const MAX_FAILED_TURNS: usize = 100;

/// Adds random plies to the openings of a list, which take turns in random order until there are
/// `count` different positions.
///
/// # Errors
///
/// A message: too many plies, or too few positions can be found.
fn extended(
    mut list: Vec<Opening>,
    plies: usize,
    count: usize,
    rng: &mut impl Rng,
) -> Result<Vec<Opening>, String> {
    if plies > MAX_RANDOM_PLIES {
        return Err(format!("at most {MAX_RANDOM_PLIES} random plies, not {plies}"));
    }
    let (mut openings, mut seen) = (Vec::new(), HashSet::new());
    let (mut failed, patience) = (0, list.len().max(MAX_FAILED_TURNS));
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
        "only {found} of {count} different positions found with {plies} random plies; try fewer games, \
         more random plies or more openings"
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
