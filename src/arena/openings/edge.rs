//! Edge openings: openings in which one side is ahead, at the edge between a draw and a win.
//!
//! From level openings, most games between two versions of a strong engine are drawn, so they do
//! not show which version is stronger. If one side is far enough ahead to win about half of its
//! games, the better version tends to win with that side and to draw with the other. Chess engines
//! are tested with unbalanced opening books for the same reason. Tests of a program against itself
//! use edge openings by default.
//!
//! [`find`] plays a numbered series of random games, searches the last position of each game, and
//! keeps the games in which the lead of one side is within a given range. The built-in sets store
//! only the numbers of these games, about one byte per opening.

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

/// The number of random games in a batch, which is divided among the threads.
const BATCH: u64 = 512;
/// Number of consecutive games without an opening after which the search for openings stops.
const MAX_FAILED_GAMES: u64 = 10_000;

/// Settings for finding edge openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeSettings {
    /// The number of openings to find.
    pub count: usize,
    /// The permitted lead of the side that is ahead; not negative.
    pub ahead: RangeInclusive<Score>,
    /// The node limit of the search that scores a position; the iteration in progress at the limit
    /// is completed.
    pub nodes: u64,
    /// The random seed.
    pub seed: u64,
}

/// An opening in which one side is ahead.
#[derive(Clone, Debug)]
pub struct EdgeOpening {
    /// The number of the random game.
    pub number: u64,
    /// The moves of the opening.
    pub game: Game,
    /// White's lead; negative if Black is ahead.
    pub lead: Score,
}

/// Finds openings among random games, searched in the order of their numbers on all threads of a
/// pool. Each side is ahead in half of the openings, no position is repeated, even with colours
/// reversed, and neither side can capture. The result depends only on the settings and the
/// evaluation. Fewer openings than requested are returned if the work is stopped or 10,000
/// consecutive games yield no opening. Progress counts the openings found; its detail counts the
/// games searched.
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

/// Searches the random games with these numbers. Returns the openings in the order of their
/// numbers, with `None` for games that are unsuitable or were not searched.
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
    /// The positions of the openings, colour-reversed where Black is to move.
    seen: HashSet<Position>,
    /// The number of openings in which White is ahead, then the number in which Black is ahead.
    ahead: [usize; 2],
}

impl Selection {
    fn new(count: usize) -> Self {
        Selection { count, openings: Vec::new(), seen: HashSet::new(), ahead: [0; 2] }
    }

    fn is_complete(&self) -> bool {
        self.openings.len() == self.count
    }

    /// The number of the last random game kept.
    fn last(&self) -> u64 {
        self.openings.last().map_or(0, |opening| opening.number)
    }

    /// Keeps an opening if its position is new, unless half of the requested openings already have
    /// the same side ahead.
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

/// The position itself if White is to move, else the colour-reversed position.
fn with_white_to_move(position: &Position) -> Position {
    let setup = position.setup().with_white_to_move(position.grid());
    Position::from_setup(position.variant(), &setup).unwrap_or(*position)
}

/// The size of the transposition table, 1 MiB: small, so that clearing it before each of many short
/// searches is fast.
const TT_SIZE: u32 = 16;
/// The node limit is divided by this number for a preliminary search. The full search follows only
/// if the preliminary score is in the permitted range.
const SHORT_SEARCH: u64 = 10;

/// Determines White's lead in the last position of a game, with a search that uses the embedded
/// bitbases.
struct LeadEstimator {
    engine: Engine,
}

impl LeadEstimator {
    /// Creates an estimator for a variant and its evaluation.
    fn new(variant: Variant, evaluation: Evaluation) -> Self {
        let options = EngineOptions { tt_size: TT_SIZE, ..EngineOptions::default() };
        let resources = Resources::embedded(variant, evaluation);
        LeadEstimator { engine: Engine::with_resources(variant, resources, options) }
    }

    /// White's lead in the last position. Returns `None` unless the lead is permitted according to
    /// both the preliminary and the full search.
    fn lead(&mut self, game: &Game, settings: &EdgeSettings) -> Option<Score> {
        let fits = |score: &Score| settings.ahead.contains(&Score(score.0.abs()));
        let nodes = settings.nodes;
        Some(self.score(game, nodes / SHORT_SEARCH)).filter(fits)?;
        let score = Some(self.score(game, nodes)).filter(fits)?;
        Some(score.for_white(game.position().side()))
    }

    /// The score of the last position for the side to move. The iteration in progress at the node
    /// limit is completed.
    fn score(&mut self, game: &Game, nodes: u64) -> Score {
        let limits = Limits { soft_nodes: Some(nodes), mode: Mode::Analyze, ..Limits::default() };
        self.engine.new_game();
        self.engine.set_game(game.clone());
        self.engine.go(limits, &Control::new(), &mut |_| {}).info.score
    }
}

/// The range from which the length of a random game is drawn, in plies.
const PLIES: RangeInclusive<usize> = 6..=14;
/// Maximum number of random games played to find one that ends with neither side able to capture.
const MAX_ATTEMPTS: usize = 20;

/// Games of random moves from the start position. Each game depends only on the variant, the seed
/// and the number of the game.
#[derive(Clone, Debug)]
struct RandomGames {
    start: Game,
    seed: u64,
}

impl RandomGames {
    /// The random games for a seed.
    fn new(variant: Variant, seed: u64) -> Self {
        RandomGames { start: Game::new(variant), seed }
    }

    /// The game with this number: the first attempt that ends with the game not over and neither
    /// side able to capture. `None` if all attempts fail.
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

/// The seed of the random games in the built-in sets.
const SEED: u64 = 1;

/// Whether there is a built-in set for a variant. Sets exist for variants in which most games are
/// drawn and positions between a draw and a win can be found.
pub fn has_set(variant: Variant) -> bool {
    differences(variant).is_some()
}

/// The numbers of the random games in a set, in ascending order, each stored as the difference from
/// the previous number. A difference of 255 or more is split into bytes of 255 and a smaller last
/// byte, which are added up. `scripts/edge_openings.sh` generates these files.
fn differences(variant: Variant) -> Option<&'static [u8]> {
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

/// The openings of a built-in set.
///
/// # Errors
///
/// There is no set for the variant.
pub(super) fn openings(variant: Variant) -> Result<Vec<Opening>, OpeningError> {
    let differences = differences(variant).ok_or_else(|| {
        OpeningError::Input(format!(
            "there are no edge openings for {variant}; generate some with `manoury openings \
             --variant {variant} --out FILE` and use them with --openings FILE"
        ))
    })?;
    let games = RandomGames::new(variant, SEED);
    let openings = decode_numbers(differences).filter_map(|number| games.get(number)).zip(1..);
    Ok(openings.map(|(game, number)| Opening { name: format!("edge {number}"), game }).collect())
}

/// Decodes the numbers of the games in a set.
fn decode_numbers(differences: &[u8]) -> impl Iterator<Item = u64> {
    let mut number = 0;
    differences.iter().filter_map(move |&difference| {
        number += u64::from(difference);
        (difference < u8::MAX).then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_differences_of_several_bytes() {
        assert_eq!(
            decode_numbers(&[0, 3, 255, 0, 255, 255, 7]).collect::<Vec<_>>(),
            [0, 3, 258, 775]
        );
    }
}
