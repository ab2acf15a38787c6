//! Book growth: expands positions and searches their new successors with the engine.

mod searches;

pub use searches::{KnownSearches, PositionSearcher, SearchLog};

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rayon::{BroadcastContext, ThreadPool};

use crate::book::{Effort, Graph, NodeId, SearchedPosition};
use crate::erased::{Game, Position};
use crate::eval::Evaluation;
use crate::runtime::progress::Progress;

/// The interval at which an idle thread checks for new work.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Settings for growing a book.
#[derive(Clone, Debug)]
pub struct GrowthSettings {
    /// The number of expanded positions at which the book is complete.
    pub positions: usize,
    /// The search effort per new position.
    pub effort: Effort,
    /// The batch size. The positions of a batch are chosen together and expanded once all of them
    /// have been searched, so the book does not depend on the number of threads. If `None`, each
    /// thread chooses, searches and expands one position at a time.
    pub batch: Option<usize>,
    /// Search results from other processes.
    pub known: KnownSearches,
}

/// Receives the progress and the results of growing a book.
pub trait GrowthRecorder: Sync {
    /// Counts expanded positions; its detail counts added positions. When growth is stopped,
    /// positions that are reserved but not yet expanded are released.
    fn progress(&self) -> &dyn Progress;

    /// Called with the book each time positions have been expanded.
    fn record(&self, graph: &Graph);
}

/// A position to expand, and those of its successors that must be searched first.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The index within the batch.
    number: usize,
    node: NodeId,
    /// The successors to search; may be empty.
    pub unknown: Vec<Position>,
}

impl Expansion {
    fn new(graph: &Graph, number: usize, node: NodeId) -> Expansion {
        Expansion { number, node, unknown: graph.unknown(node) }
    }
}

/// Reserves the next batch of positions to expand. A batch ends when the number of expanded
/// positions reaches `max` or a multiple of `batch`, so interrupting and resuming growth does not
/// change the batches.
pub fn reserve_batch(graph: &mut Graph, batch: usize, max: usize) -> Vec<Expansion> {
    let expanded = graph.expanded();
    let count = (batch - expanded % batch).min(max.saturating_sub(expanded));
    let nodes: Vec<_> = std::iter::from_fn(|| graph.reserve_next()).take(count).collect();
    let mut seen = HashSet::new();
    let expansion = |(number, node)| {
        let mut expansion = Expansion::new(graph, number, node);
        // If several expansions need the same position, it is searched only for the first of them.
        expansion.unknown.retain(|position| seen.insert(position.key()));
        expansion
    };
    nodes.into_iter().enumerate().map(expansion).collect()
}

/// Expands positions with all threads of a pool until the book is complete or nothing is left to
/// expand, starting with the positions of `games`.
pub fn grow(
    graph: &mut Graph,
    games: &[Game],
    settings: &GrowthSettings,
    evaluation: &Evaluation,
    pool: &ThreadPool,
    recorder: &dyn GrowthRecorder,
) {
    add_games(graph, games, settings, evaluation, pool, recorder);
    let max = settings.positions;
    let is_batch = settings.batch.is_some();
    let growth = Growth::new(graph, is_batch, recorder, |graph| match settings.batch {
        Some(batch) => reserve_batch(graph, batch, max).into(),
        None => reserve_one(graph, max, Graph::reserve_next),
    });
    growth.run(settings, evaluation, pool);
}

/// Expands the positions of `games` that are not yet expanded: first those at ply 0 of every game,
/// then those at ply 1, and so on.
pub fn add_games(
    graph: &mut Graph,
    games: &[Game],
    settings: &GrowthSettings,
    evaluation: &Evaluation,
    pool: &ThreadPool,
    recorder: &dyn GrowthRecorder,
) {
    let games: Vec<Vec<Position>> = games.iter().map(Game::positions).collect();
    let plies = games.iter().map(Vec::len).max().unwrap_or(0);
    for ply in 0..plies {
        let mut left = games.iter().filter_map(|positions| positions.get(ply));
        let growth = Growth::new(graph, false, recorder, |graph| {
            reserve_one(graph, settings.positions, |graph| {
                left.find_map(|position| graph.reserve(position))
            })
        });
        growth.run(settings, evaluation, pool);
    }
}

/// Returns the expansion of the position chosen by `reserve`; empty if `reserve` finds none, or if
/// the positions already reserved will complete the book.
fn reserve_one(
    graph: &mut Graph,
    max: usize,
    reserve: impl FnOnce(&mut Graph) -> Option<NodeId>,
) -> VecDeque<Expansion> {
    let is_complete = graph.expanded() + graph.reserved() >= max;
    let node = if is_complete { None } else { reserve(graph) };
    node.map(|node| Expansion::new(graph, 0, node)).into_iter().collect()
}

/// A growing book, shared by threads.
struct Growth<'a, F> {
    graph: &'a mut Graph,
    /// Whether the positions of a batch are expanded only once all of them have been searched.
    is_batch: bool,
    recorder: &'a dyn GrowthRecorder,
    /// Chooses the next expansions.
    choose: F,
    /// The expansions whose searches have not started.
    waiting: VecDeque<Expansion>,
    /// The number of expansions that are being searched.
    searching: usize,
    /// The expansions whose searches are finished, with the results.
    searched: Vec<(Expansion, Vec<SearchedPosition>)>,
}

/// The next action of a thread.
enum GrowthStep {
    Search(Expansion),
    /// Waits for the searches of other threads.
    Wait,
    Stop,
}

impl<'a, F: FnMut(&mut Graph) -> VecDeque<Expansion> + Send> Growth<'a, F> {
    fn new(
        graph: &'a mut Graph,
        is_batch: bool,
        recorder: &'a dyn GrowthRecorder,
        choose: F,
    ) -> Self {
        let (waiting, searched) = (VecDeque::new(), Vec::new());
        Growth { graph, is_batch, recorder, choose, waiting, searching: 0, searched }
    }

    /// Expands positions with all threads of a pool.
    fn run(self, settings: &GrowthSettings, evaluation: &Evaluation, pool: &ThreadPool) {
        let (variant, progress) = (self.graph.variant(), self.recorder.progress());
        let growth = Mutex::new(self);
        pool.broadcast(|_: BroadcastContext| {
            let mut searcher = PositionSearcher::new(variant, evaluation.clone(), settings.effort);
            while !progress.is_stopped() {
                let step = lock(&growth).next_step();
                match step {
                    GrowthStep::Search(expansion) => {
                        let found = match settings.known.get(&expansion.unknown) {
                            Some(found) => Some(found.to_vec()),
                            None => searcher.search(&expansion.unknown, || progress.is_stopped()),
                        };
                        lock(&growth).finish_search(expansion, found);
                    }
                    GrowthStep::Wait => thread::sleep(POLL_INTERVAL),
                    GrowthStep::Stop => break,
                }
            }
        });
        lock(&growth).release();
    }

    fn next_step(&mut self) -> GrowthStep {
        if self.waiting.is_empty() && (!self.is_batch || self.searching == 0) {
            self.waiting = (self.choose)(self.graph);
        }
        match self.waiting.pop_front() {
            Some(expansion) => {
                self.searching += 1;
                GrowthStep::Search(expansion)
            }
            // Expansions by other threads may add positions to expand.
            None if self.searching > 0 => GrowthStep::Wait,
            None => GrowthStep::Stop,
        }
    }

    /// Stores the search results for an expansion (`None` if the searches were stopped) and expands
    /// the position. In batch mode, expands the whole batch once all its positions have been
    /// searched.
    fn finish_search(&mut self, expansion: Expansion, found: Option<Vec<SearchedPosition>>) {
        self.searching -= 1;
        let Some(found) = found else {
            // Put the expansion back in the queue, so that `release` also releases this position.
            return self.waiting.push_back(expansion);
        };
        self.searched.push((expansion, found));
        if !self.is_batch || self.searching == 0 && self.waiting.is_empty() {
            self.expand();
        }
    }

    fn expand(&mut self) {
        let (known, count) = (self.graph.len(), self.searched.len());
        self.searched.sort_by_key(|(expansion, _)| expansion.number);
        for (expansion, found) in self.searched.drain(..) {
            self.graph.expand(expansion.node, &found);
        }
        let progress = self.recorder.progress();
        progress.advance(count as u64);
        progress.add_detail((self.graph.len() - known) as u64);
        self.recorder.record(self.graph);
    }

    /// Releases the reserved positions that were not expanded.
    fn release(&mut self) {
        let searched = self.searched.drain(..).map(|(expansion, _)| expansion);
        for expansion in self.waiting.drain(..).chain(searched) {
            self.graph.release(expansion.node);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
