//! Finding openings at the edge among random games.

use std::collections::HashSet;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::{BroadcastContext, ThreadPool};

use crate::erased::{Game, Position};
use crate::eval::Evaluation;
use crate::rules::Variant;
use crate::runtime::progress::Progress;
use crate::score::Score;

use super::judge::Judge;
use super::random_games::RandomGames;

/// The number of games that the threads share at a time.
const BATCH: u64 = 512;
/// The number of games in a row without an opening after which no more are tried.
const PATIENCE: u64 = 10_000;

/// What openings are wanted.
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
/// that fit until there are enough. Each side is ahead in half of them, no position comes twice,
/// not even with colours reversed, and neither side can capture. The result depends only on the
/// settings and the evaluation. There are fewer than wanted if it was interrupted, or if 10,000
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
    while !selection.is_complete() && !progress.is_stopped() && first <= selection.last() + PATIENCE
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
        let mut judge = Judge::new(variant, evaluation.clone());
        while !progress.is_stopped() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                break;
            }
            let Some(game) = games.get(number) else { continue };
            let lead = judge.lead(&game, settings);
            let place = (number - numbers.start) as usize;
            lock(&found)[place] = lead.map(|lead| EdgeOpening { number, game, lead });
        }
    });
    std::mem::take(&mut lock(&found))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The openings that are kept.
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

    /// The number of the last game that was kept.
    fn last(&self) -> u64 {
        self.openings.last().map_or(0, |opening| opening.number)
    }

    /// Keeps an opening if it is new and its side does not have its half yet.
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

/// A position in the form that it shares with the one of reversed colours.
fn with_white_to_move(position: &Position) -> Position {
    let setup = position.setup().with_white_to_move(position.grid());
    Position::from_setup(position.variant(), &setup).unwrap_or(*position)
}
