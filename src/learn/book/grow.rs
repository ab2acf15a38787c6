//! The threads that make a book grow.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rayon::{BroadcastContext, ThreadPool};

use crate::book::{Graph, NodeId};
use crate::eval::Evaluation;
use crate::game::Game;
use crate::position::Position;
use crate::rules::Rules;

use super::searcher::Searcher;
use super::{Settings, Watch};

/// How long a thread waits when the others have all that is to be expanded.
const PAUSE: Duration = Duration::from_millis(5);

/// What a thread is to do.
enum Next {
    /// Expand a position.
    Expand(NodeId),
    /// Look again later.
    Wait,
    /// Nothing is left.
    Stop,
}

/// Expands positions until there are as many as the settings want, or none is left, with all threads of a
/// pool. It begins with the positions of games, as far as they are not expanded.
pub fn grow<R: Rules>(
    graph: &mut Graph<R>,
    games: &[Game<R>],
    settings: &Settings,
    evaluation: &Evaluation<R>,
    pool: &ThreadPool,
    watch: &impl Watch<R>,
) {
    add_games(graph, games, settings, evaluation, pool, watch);
    work(graph, settings, evaluation, pool, watch, |graph| match graph.take() {
        Some(node) => Next::Expand(node),
        // What the others are at may lead to more.
        None if graph.taken() > 0 => Next::Wait,
        None => Next::Stop,
    });
}

/// Expands the positions of games, those that come early first.
pub fn add_games<R: Rules>(
    graph: &mut Graph<R>,
    games: &[Game<R>],
    settings: &Settings,
    evaluation: &Evaluation<R>,
    pool: &ThreadPool,
    watch: &impl Watch<R>,
) {
    let plies = games.iter().map(|game| game.positions().len()).max().unwrap_or(0);
    for ply in 0..plies {
        let on_ply = games.iter().filter_map(|game| game.positions().get(ply));
        let positions: Vec<Position<R>> = on_ply.copied().collect();
        let mut left = positions.iter();
        work(graph, settings, evaluation, pool, watch, |graph| {
            match left.find_map(|position| graph.take_position(position)) {
                Some(node) => Next::Expand(node),
                None => Next::Stop,
            }
        });
    }
}

/// A graph, and what is to be done about it.
struct Desk<'a, R: Rules, F> {
    graph: &'a mut Graph<R>,
    next: F,
}

/// Expands what `next` takes, with all threads of a pool.
fn work<R: Rules>(
    graph: &mut Graph<R>,
    settings: &Settings,
    evaluation: &Evaluation<R>,
    pool: &ThreadPool,
    watch: &impl Watch<R>,
    next: impl FnMut(&mut Graph<R>) -> Next + Send,
) {
    let desk = Mutex::new(Desk { graph, next });
    pool.broadcast(|_: BroadcastContext| {
        let mut searcher = Searcher::new(evaluation.clone(), settings.effort);
        while !watch.is_stopped() {
            let (node, positions) = match take(&mut lock(&desk), settings.positions) {
                (Next::Expand(node), positions) => (node, positions),
                (Next::Wait, _) => {
                    thread::sleep(PAUSE);
                    continue;
                }
                (Next::Stop, _) => break,
            };
            let found = searcher.search(&positions, || watch.is_stopped());
            let graph = &mut lock(&desk).graph;
            match found {
                Some(found) => {
                    graph.expand(node, &found);
                    watch.see(graph);
                }
                None => graph.give_back(node),
            }
        }
    });
}

/// Takes the next position, unless there will be enough, and those that are to be searched for it.
fn take<R: Rules>(
    desk: &mut Desk<R, impl FnMut(&mut Graph<R>) -> Next>,
    positions: usize,
) -> (Next, Vec<Position<R>>) {
    if desk.graph.expanded() + desk.graph.taken() >= positions {
        return (Next::Stop, Vec::new());
    }
    let next = (desk.next)(desk.graph);
    let unknown = match next {
        Next::Expand(node) => desk.graph.unknown(node),
        _ => Vec::new(),
    };
    (next, unknown)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
