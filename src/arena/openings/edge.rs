//! Openings at the edge between win and draw.
//!
//! From level openings most games of a strong engine against itself are drawn, whichever version
//! plays which side, and so do not distinguish the versions. If one side is ahead by so much that it
//! wins about half of its games, the better version wins with that side and draws with the other.
//! Unbalanced books serve chess engines in the same way. Tests of a program against itself use these
//! openings by default.
//!
//! [`find`] searches the last positions of numbered random games, and keeps the games in which the
//! lead of one side is within a window. The sets in the program are lists of such numbers: about a
//! byte an opening.

use std::collections::HashSet;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rand::RngExt;
use rayon::{BroadcastContext, ThreadPool};

use crate::engine::{Engine, EngineOptions, Resources, game_rng, playout};
use crate::erased::{Game, Position};
use crate::eval::Evaluation;
use crate::rules::Variant;
use crate::runtime::progress::Progress;
use crate::score::Score;
use crate::search::{Control, Limits, Mode};

use super::{Opening, OpeningError};

/// The number of games in a batch that the threads share.
const BATCH: u64 = 512;
/// Maximum number of games in a row without an opening.
const MAX_FAILED_GAMES: u64 = 10_000;

/// The openings to find.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeSettings {
    /// The number of openings.
    pub count: usize,
    /// The lead of one side, not negative.
    pub ahead: RangeInclusive<Score>,
    /// The nodes of the search that scores a position; the iteration under way is completed.
    pub nodes: u64,
    /// The random seed.
    pub seed: u64,
}

/// An opening at the edge.
#[derive(Clone, Debug)]
pub struct EdgeOpening {
    /// The number of the random game.
    pub number: u64,
    /// The game.
    pub game: Game,
    /// White's lead; negative if Black is ahead.
    pub lead: Score,
}

/// Tries random games in the order of their numbers with all threads of a pool, and keeps those
/// that fit until there are enough. Each side is ahead in half of them, no position is repeated,
/// even with colours reversed, and neither side can capture. The result depends only on the settings
/// and the evaluation. There are fewer than requested if the work was stopped, or if 10,000
/// games in a row did not fit. Progress is counted in openings, with the games tried as the detail.
pub fn find(
    variant: Variant,
    settings: &EdgeSettings,
    evaluation: &Evaluation,
    pool: &ThreadPool,
    progress: &dyn Progress,
) -> Vec<EdgeOpening> {
    let mut selection = Selection::new(settings.count);
    let mut first = 0;
    while !selection.is_complete()
        && !progress.is_stopped()
        && first <= selection.last() + MAX_FAILED_GAMES
    {
        let batch = first..first + BATCH;
        first = batch.end;
        let found = search(variant, settings, evaluation, pool, batch, progress);
        let before = selection.openings.len();
        found.into_iter().flatten().for_each(|opening| selection.add(opening));
        progress.advance((selection.openings.len() - before) as u64);
        progress.add_detail(BATCH);
    }
    selection.openings
}

/// The random games with these numbers, in order; `None` for those that do not fit.
fn search(
    variant: Variant,
    settings: &EdgeSettings,
    evaluation: &Evaluation,
    pool: &ThreadPool,
    numbers: Range<u64>,
    progress: &dyn Progress,
) -> Vec<Option<EdgeOpening>> {
    let games = RandomGames::new(variant, settings.seed);
    let next = AtomicU64::new(numbers.start);
    let found = Mutex::new(numbers.clone().map(|_| None).collect::<Vec<_>>());
    pool.broadcast(|_: BroadcastContext| {
        let mut estimator = LeadEstimator::new(variant, evaluation.clone());
        while !progress.is_stopped() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                break;
            }
            let Some(game) = games.get(number) else { continue };
            let lead = estimator.lead(&game, settings);
            let place = (number - numbers.start) as usize;
            lock(&found)[place] = lead.map(|lead| EdgeOpening { number, game, lead });
        }
    });
    std::mem::take(&mut lock(&found))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The openings found so far.
struct Selection {
    count: usize,
    openings: Vec<EdgeOpening>,
    /// Their positions, with White to move.
    seen: HashSet<Position>,
    /// How many of them have White ahead, and how many Black.
    ahead: [usize; 2],
}

impl Selection {
    fn new(count: usize) -> Self {
        Selection { count, openings: Vec::new(), seen: HashSet::new(), ahead: [0; 2] }
    }

    fn is_complete(&self) -> bool {
        self.openings.len() == self.count
    }

    /// The number of the last game found.
    fn last(&self) -> u64 {
        self.openings.last().map_or(0, |opening| opening.number)
    }

    /// Keeps an opening if it is new and its side is ahead in less than half of them.
    fn add(&mut self, opening: EdgeOpening) {
        let ahead = &mut self.ahead[usize::from(opening.lead < Score::DRAW)];
        if self.openings.len() < self.count
            && *ahead < self.count.div_ceil(2)
            && self.seen.insert(with_white_to_move(opening.game.position()))
        {
            *ahead += 1;
            self.openings.push(opening);
        }
    }
}

/// A position in the form that it shares with its colour-reversed position.
fn with_white_to_move(position: &Position) -> Position {
    let setup = position.setup().with_white_to_move(position.grid());
    Position::from_setup(position.variant(), &setup).unwrap_or(*position)
}

/// The transposition table: 1 MiB, quickly cleared for each of many short searches.
const TT_SIZE: u32 = 16;
/// The divisor of the nodes for a first, short search; the full search follows if its score fits.
const SHORT_SEARCH: u64 = 10;

/// Searches the last position of a game, with the embedded bitbases, for the lead of a side.
struct LeadEstimator {
    engine: Engine,
}

impl LeadEstimator {
    /// An estimator with an evaluation of the variant.
    fn new(variant: Variant, evaluation: Evaluation) -> Self {
        let options = EngineOptions { tt_size: TT_SIZE, ..EngineOptions::default() };
        let resources = Resources::embedded(variant, evaluation);
        LeadEstimator { engine: Engine::with_resources(variant, resources, options) }
    }

    /// White's lead in the last position if it is within the window either way, in a short search
    /// as in the full one.
    fn lead(&mut self, game: &Game, settings: &EdgeSettings) -> Option<Score> {
        let fits = |score: &Score| settings.ahead.contains(&Score(score.0.abs()));
        let nodes = settings.nodes;
        Some(self.score(game, nodes / SHORT_SEARCH)).filter(fits)?;
        let score = Some(self.score(game, nodes)).filter(fits)?;
        Some(score.for_white(game.position().side()))
    }

    /// The score for the side to move; the last iteration is completed.
    fn score(&mut self, game: &Game, nodes: u64) -> Score {
        let limits = Limits { soft_nodes: Some(nodes), mode: Mode::Analyze, ..Limits::default() };
        self.engine.new_game();
        self.engine.set_game(game.clone());
        self.engine.go(limits, &Control::new(), &mut |_| {}).info.score
    }
}

/// The range of the random number of plies of a game.
const PLIES: RangeInclusive<usize> = 6..=14;
/// Maximum attempts to play a game that ends without a possible capture.
const MAX_ATTEMPTS: usize = 20;

/// Games of random moves from the start position. Each depends only on the variant, the seed and
/// its number.
#[derive(Clone, Debug)]
struct RandomGames {
    start: Game,
    seed: u64,
}

impl RandomGames {
    /// The games of a seed.
    fn new(variant: Variant, seed: u64) -> Self {
        RandomGames { start: Game::new(variant), seed }
    }

    /// The game with a number: the first of several attempts that is not over and after which
    /// neither side could capture. `None` if all fail.
    fn get(&self, number: u64) -> Option<Game> {
        let mut rng = game_rng(self.seed, number);
        (0..MAX_ATTEMPTS)
            .filter_map(|_| {
                let plies = rng.random_range(PLIES);
                playout(&self.start, plies, &mut rng)
            })
            .find(|game| !game.position().is_threatened())
    }
}

/// The seed of the random games.
const SEED: u64 = 1;

/// Whether there is a set for a variant: one in which most games are drawn, and in which positions
/// between a win and a draw can be found.
pub fn has_set(variant: Variant) -> bool {
    steps(variant).is_some()
}

/// The numbers of the random games of a set, ascending, each as the difference to the previous one;
/// 255 adds to the next difference. `scripts/edge.sh` makes these files.
fn steps(variant: Variant) -> Option<&'static [u8]> {
    Some(match variant {
        Variant::International => &include!("edge/sets/international.txt"),
        Variant::English => &include!("edge/sets/english.txt"),
        Variant::Italian => &include!("edge/sets/italian.txt"),
        Variant::Spanish => &include!("edge/sets/spanish.txt"),
        Variant::German => &include!("edge/sets/german.txt"),
        Variant::Czech => &include!("edge/sets/czech.txt"),
        _ => return None,
    })
}

/// The openings of a set.
///
/// # Errors
///
/// There is no set for the variant.
pub(super) fn openings(variant: Variant) -> Result<Vec<Opening>, OpeningError> {
    let steps = steps(variant).ok_or_else(|| {
        OpeningError::Input(format!(
            "there are no edge openings for {variant}; make some with `manoury openings --variant \
             {variant} --out FILE` and use them with --openings FILE"
        ))
    })?;
    let games = RandomGames::new(variant, SEED);
    let openings = numbers(steps).filter_map(|number| games.get(number)).zip(1..);
    Ok(openings.map(|(game, number)| Opening { name: format!("edge {number}"), game }).collect())
}

/// The numbers that steps encode.
fn numbers(steps: &[u8]) -> impl Iterator<Item = u64> {
    let mut number = 0;
    steps.iter().filter_map(move |&step| {
        number += u64::from(step);
        (step < u8::MAX).then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_steps_of_several_bytes() {
        assert_eq!(numbers(&[0, 3, 255, 0, 255, 255, 7]).collect::<Vec<_>>(), [0, 3, 258, 775]);
    }
}
