//! The threads that expand the positions of a book.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rayon::{BroadcastContext, ThreadPool};

use crate::book::{Graph, NodeId};
use crate::erased::{Game, Position};
use crate::eval::Evaluation;

use super::batch::grow_in_batches;
use super::searcher::PositionSearcher;
use super::{GrowthRecorder, GrowthSettings};

/// How long a thread waits when all positions left to expand are taken by other threads.
const PAUSE: Duration = Duration::from_millis(5);

/// What a thread does next.
enum GrowthStep {
    /// Expands a position.
    Expand(NodeId),
    /// Waits for the other threads.
    Wait,
    /// Stops, as nothing is left to do.
    Stop,
}

/// Expands positions with all threads of a pool, those of some games first, until the book has as
/// many as the settings want or none is left.
pub fn grow(
    graph: &mut Graph,
    games: &[Game],
    settings: &GrowthSettings,
    evaluation: &Evaluation,
    pool: &ThreadPool,
    recorder: &dyn GrowthRecorder,
) {
    add_games(graph, games, settings, evaluation, pool, recorder);
    if let Some(batch) = settings.batch {
        return grow_in_batches(graph, batch, settings, evaluation, pool, recorder);
    }
    work(graph, settings, evaluation, pool, recorder, |graph| match graph.take() {
        Some(node) => GrowthStep::Expand(node),
        // Expansions under way may add positions.
        None if graph.taken() > 0 => GrowthStep::Wait,
        None => GrowthStep::Stop,
    });
}

/// Expands the positions of games that are not expanded yet, in the order of their plies.
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
        work(graph, settings, evaluation, pool, recorder, |graph| {
            match left.find_map(|position| graph.take_position(position)) {
                Some(node) => GrowthStep::Expand(node),
                None => GrowthStep::Stop,
            }
        });
    }
}

/// The state that the threads share: a graph, and the choice of what to do next.
struct GrowthQueue<'a, F> {
    graph: &'a mut Graph,
    next: F,
}

/// Expands the positions that `next` takes, with all threads of a pool.
fn work(
    graph: &mut Graph,
    settings: &GrowthSettings,
    evaluation: &Evaluation,
    pool: &ThreadPool,
    recorder: &dyn GrowthRecorder,
    next: impl FnMut(&mut Graph) -> GrowthStep + Send,
) {
    let (variant, progress) = (graph.variant(), recorder.progress());
    let queue = Mutex::new(GrowthQueue { graph, next });
    pool.broadcast(|_: BroadcastContext| {
        let mut searcher = PositionSearcher::new(variant, evaluation.clone(), settings.effort);
        while !progress.is_stopped() {
            let (node, positions) = match take(&mut lock(&queue), settings.positions) {
                (GrowthStep::Expand(node), positions) => (node, positions),
                (GrowthStep::Wait, _) => {
                    thread::sleep(PAUSE);
                    continue;
                }
                (GrowthStep::Stop, _) => break,
            };
            let found = searcher.search(&positions, || progress.is_stopped());
            let graph = &mut lock(&queue).graph;
            match found {
                Some(found) => {
                    let known = graph.len();
                    graph.expand(node, &found);
                    progress.advance(1);
                    progress.add_detail((graph.len() - known) as u64);
                    recorder.record(graph);
                }
                None => graph.give_back(node),
            }
        }
    });
}

/// Takes the next position, together with the positions to search for it. Stops when the positions
/// taken will complete the book.
fn take(
    queue: &mut GrowthQueue<'_, impl FnMut(&mut Graph) -> GrowthStep>,
    positions: usize,
) -> (GrowthStep, Vec<Position>) {
    if queue.graph.expanded() + queue.graph.taken() >= positions {
        return (GrowthStep::Stop, Vec::new());
    }
    let next = (queue.next)(queue.graph);
    let unknown = match next {
        GrowthStep::Expand(node) => queue.graph.unknown(node),
        _ => Vec::new(),
    };
    (next, unknown)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
