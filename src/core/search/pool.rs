//! The threads of an engine, which sleep between searches, and what they share while they search
//! (how they use it: [`together`](super::together)).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::ThreadPoolBuilder;

use crate::board::Geometry;

use super::busy::Busy;
use super::experience::Experience;
use super::round::Round;

/// The stack size of a thread that searches, in bytes: that of a typical main thread.
pub const STACK_SIZE: usize = 8 << 20;

/// The threads of an engine and what they have learned. The calling thread is the first of them.
pub struct ThreadPool {
    /// All threads but the first; `None` if there are no others.
    helpers: Option<rayon::ThreadPool>,
    experience: Experience,
}

impl ThreadPool {
    /// A pool of `threads` threads, at least one; fewer if the system does not provide them.
    pub fn new<G: Geometry>(threads: usize) -> Self {
        let helpers = (1..threads).rev().find_map(start);
        let threads = 1 + helpers.as_ref().map_or(0, rayon::ThreadPool::current_num_threads);
        ThreadPool { helpers, experience: Experience::new::<G>(threads) }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        1 + self.helpers.as_ref().map_or(0, rayon::ThreadPool::current_num_threads)
    }

    /// Forgets everything learned.
    pub fn clear<G: Geometry>(&mut self) {
        self.experience = Experience::new::<G>(self.threads());
    }

    /// Runs `lead` on this thread and, concurrently, `help` on each of the others. Once `lead` is
    /// over, `help` must end by itself.
    pub(super) fn run<T>(
        &mut self,
        lead: impl FnOnce(&Experience) -> T,
        help: impl Fn(usize, &Experience) + Sync,
    ) -> T {
        let (experience, help) = (&self.experience, &help);
        let Some(helpers) = &self.helpers else {
            return lead(experience);
        };
        helpers.in_place_scope(|scope| {
            for thread in 1..=helpers.current_num_threads() {
                scope.spawn(move |_| help(thread, experience));
            }
            lead(experience)
        })
    }
}

fn start(threads: usize) -> Option<rayon::ThreadPool> {
    let name = |index| format!("search {}", index + 2);
    let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_SIZE);
    let pool = builder.thread_name(name).build();
    pool.inspect_err(|error| log::warn!("no {threads} more threads: {error}")).ok()
}

/// The shared state of the threads of one search.
#[derive(Default)]
pub(super) struct ThreadTally {
    /// Nodes by thread.
    nodes: Vec<NodeCounter>,
    is_over: AtomicBool,
    /// The round of the first thread, packed.
    round: AtomicU64,
    /// The moves being searched.
    pub(super) busy: Busy,
}

/// A counter on a cache line of its own, against false sharing.
#[derive(Default)]
#[repr(align(128))]
struct NodeCounter(AtomicU64);

impl ThreadTally {
    /// For a number of threads.
    pub(super) fn new(threads: usize) -> Self {
        ThreadTally {
            nodes: (0..threads).map(|_| NodeCounter::default()).collect(),
            is_over: AtomicBool::new(false),
            round: AtomicU64::new(Round::NONE.packed()),
            busy: Busy::new(threads),
        }
    }

    /// Sets the total number of nodes of a thread.
    pub(super) fn set_nodes(&self, thread: usize, nodes: u64) {
        self.nodes[thread].0.store(nodes, Ordering::Relaxed);
    }

    /// Announces the round that the first thread begins.
    pub(super) fn announce(&self, round: Round) {
        self.round.store(round.packed(), Ordering::Relaxed);
    }

    /// The round of the first thread.
    pub(super) fn round(&self) -> Round {
        Round::unpacked(self.round.load(Ordering::Relaxed))
    }

    /// Nodes of all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.0.load(Ordering::Relaxed)).sum()
    }

    /// Announces that the first thread has its result.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Whether the first thread has its result.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}
