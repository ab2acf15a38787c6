//! Drawing openings without repetition.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use crate::rules::Rules;

use super::{Opening, OpeningError, Source, random};

/// Openings in the order in which they are to be played.
#[derive(Clone, Debug)]
pub struct Drawn<R: Rules> {
    /// The openings.
    pub openings: Vec<Opening<R>>,
    /// How many of them are different: these come first, and each round of as many has all of them
    /// again in another order.
    pub distinct: usize,
}

/// Draws `count` openings of a source, each followed by `random_plies` random moves.
///
/// Without random plies every opening of the source comes once before any comes again. With them
/// no position comes twice, none has a pending capture, and the openings of the source take turns.
///
/// The same seed draws the same openings on every machine, and a smaller count draws the first ones
/// of a larger.
///
/// # Errors
///
/// Those of [`Source::openings`]; more random plies than [`MOST_RANDOM_PLIES`](super::MOST_RANDOM_PLIES); fewer
/// different positions than asked for after random plies.
pub fn draw<R: Rules>(
    source: &Source,
    random_plies: usize,
    seed: u64,
    count: usize,
) -> Result<Drawn<R>, OpeningError> {
    let list = source.openings()?;
    // A generator that gives the same numbers in every release and on every machine.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    if random_plies > 0 {
        let openings = random::extended(list, random_plies, count, &mut rng)
            .map_err(|fault| OpeningError::Input(format!("{source}: {fault}")))?;
        return Ok(Drawn { distinct: openings.len(), openings });
    }
    let distinct = list.len().min(count);
    Ok(Drawn { openings: rounds(list, count, &mut rng), distinct })
}

/// The list in random order, again and again, each time in another.
fn rounds<R: Rules>(
    mut list: Vec<Opening<R>>,
    count: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> Vec<Opening<R>> {
    let mut openings = Vec::new();
    while openings.len() < count {
        list.shuffle(rng);
        let missing = count - openings.len();
        openings.extend(list.iter().take(missing).cloned());
    }
    openings
}
