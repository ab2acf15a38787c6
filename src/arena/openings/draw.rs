//! Draws openings at random without repetition, optionally followed by random moves.

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
    /// The number of different openings. The sequence starts with all of them, and then repeats
    /// them in rounds of this length, each in a different order.
    pub distinct: usize,
    /// The number of games in the file that were skipped, as too short or already over.
    pub skipped: usize,
}

/// Draws `count` openings from a source, each followed by `random_plies` random moves.
///
/// Without random plies, every opening of the source is used once before any is repeated. With
/// random plies, the openings of the source are used in turn, no position is repeated, and the side
/// to move never has a capture.
///
/// The same seed draws the same openings on every machine. The openings for a smaller `count` are
/// the first of those for a larger one.
///
/// # Errors
///
/// The errors of [`OpeningSource::openings`]; `random_plies` exceeds [`MAX_RANDOM_PLIES`]; or the
/// random plies lead to fewer than `count` different positions.
pub fn draw(
    variant: Variant,
    source: &OpeningSource,
    random_plies: usize,
    seed: u64,
    count: usize,
) -> Result<OpeningSequence, OpeningError> {
    let OpeningList { openings: list, skipped } = source.list(variant)?;
    // This generator returns the same numbers in every release of `rand` and on every machine.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    if random_plies > 0 {
        let openings = extended(list, random_plies, count, &mut rng)
            .map_err(|fault| OpeningError::Input(format!("{source}: {fault}")))?;
        return Ok(OpeningSequence { distinct: openings.len(), openings, skipped });
    }
    let distinct = list.len().min(count);
    Ok(OpeningSequence { openings: rounds(list, count, &mut rng), distinct, skipped })
}

/// Repeats the list in a new random order each time, up to `count` openings.
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

/// Number of attempts to reach a new position from an opening before trying the next opening.
const ATTEMPTS: usize = 100;
/// Drawing fails once this many consecutive openings (or as many as the list contains, if it is
/// longer) have led to no new position.
const MAX_FAILED_TURNS: usize = 100;

/// Extends the openings of a list by random plies, using the openings in turn and in random order,
/// until there are `count` different positions.
///
/// # Errors
///
/// A message, if there are too many plies or too few different positions can be found.
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

/// Extends an opening by random plies to a position that is not in `seen`; `None` if all attempts
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
