//! Growing a book in batches: many positions are chosen before the first is searched, so that any
//! number of threads, or of processes, makes the same book.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::{BroadcastContext, ThreadPool};

use crate::book::{Found, Graph, NodeId};
use crate::erased::Position;
use crate::eval::Evaluation;
use crate::runtime::progress::Progress;

use super::{GrowthRecorder, GrowthSettings, PositionSearcher};

/// A position to expand, and the positions to search for it.
#[derive(Clone, Debug)]
pub struct Expansion {
    node: NodeId,
    /// The positions to search, which may be none.
    pub unknown: Vec<Position>,
}

/// Takes the positions to expand next: until the number of expanded positions will be a multiple of
/// `batch`, or `most`. So it does not matter where growth was interrupted.
pub fn take_batch(graph: &mut Graph, batch: usize, most: usize) -> Vec<Expansion> {
    let expanded = graph.expanded();
    let count = (batch - expanded % batch).min(most.saturating_sub(expanded));
    let nodes: Vec<_> = std::iter::from_fn(|| graph.take()).take(count).collect();
    let mut seen = HashSet::new();
    let expansion = |node| {
        let mut unknown = graph.unknown(node);
        // Those of an earlier one will be known.
        unknown.retain(|position| seen.insert(position.key()));
        Expansion { node, unknown }
    };
    nodes.into_iter().map(expansion).collect()
}

/// Expands positions in batches, until the book has as many as the settings want or none is left.
pub(super) fn grow_in_batches(
    graph: &mut Graph,
    batch: usize,
    settings: &GrowthSettings,
    evaluation: &Evaluation,
    pool: &ThreadPool,
    recorder: &dyn GrowthRecorder,
) {
    let progress = recorder.progress();
    while !progress.is_stopped() {
        let expansions = take_batch(graph, batch, settings.positions);
        if expansions.is_empty() {
            return;
        }
        match search(graph, &expansions, settings, evaluation, pool, progress) {
            Some(found) => {
                let known = graph.len();
                expand(graph, &expansions, &found);
                progress.advance(expansions.len() as u64);
                progress.add_detail((graph.len() - known) as u64);
            }
            None => expansions.iter().for_each(|expansion| graph.give_back(expansion.node)),
        }
        recorder.record(graph);
    }
}

fn expand(graph: &mut Graph, expansions: &[Expansion], found: &[Vec<Found>]) {
    for (expansion, found) in expansions.iter().zip(found) {
        graph.expand(expansion.node, found);
    }
}

/// Makes the searches of some expansions with all threads of a pool; `None` if it was stopped.
fn search(
    graph: &Graph,
    expansions: &[Expansion],
    settings: &GrowthSettings,
    evaluation: &Evaluation,
    pool: &ThreadPool,
    progress: &dyn Progress,
) -> Option<Vec<Vec<Found>>> {
    let next = AtomicUsize::new(0);
    let of_threads = pool.broadcast(|_: BroadcastContext| {
        let mut searcher =
            PositionSearcher::new(graph.variant(), evaluation.clone(), settings.effort);
        let mut results = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(Expansion { unknown, .. }) = expansions.get(number) else { break };
            let found = match settings.known.get(unknown) {
                Some(found) => Some(found.to_vec()),
                None => searcher.search(unknown, || progress.is_stopped()),
            };
            results.push((number, found));
        }
        results
    });
    let mut results: Vec<_> = of_threads.into_iter().flatten().collect();
    results.sort_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, found)| found).collect()
}
