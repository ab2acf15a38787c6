//! Drawing openings without repetition.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use crate::rules::Variant;

use super::{Opening, OpeningError, OpeningList, OpeningSource, random};

/// Openings in the order in which they are to be played.
#[derive(Clone, Debug)]
pub struct OpeningSequence {
    /// The openings.
    pub openings: Vec<Opening>,
    /// The number of different openings: they come first, and each later round of the same length
    /// contains all of them again in another order.
    pub distinct: usize,
    /// The games of a file that were left out.
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
/// [`MAX_RANDOM_PLIES`](super::MAX_RANDOM_PLIES); fewer different positions after random plies
/// than asked for.
pub fn draw(
    variant: Variant,
    source: &OpeningSource,
    random_plies: usize,
    seed: u64,
    count: usize,
) -> Result<OpeningSequence, OpeningError> {
    let OpeningList { openings: list, skipped } = source.list(variant)?;
    // This generator gives the same numbers in every release and on every machine.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    if random_plies > 0 {
        let openings = random::extended(list, random_plies, count, &mut rng)
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
