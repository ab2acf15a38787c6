//! The threads of an engine. Each searches the whole tree, and all profit from what one has stored in
//! the transposition table (lazy SMP) and from knowing what moves the others are at (`busy`); between
//! searches they sleep.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::board::Geometry;

use super::busy::Busy;
use super::experience::Experience;

/// A search has as much stack as a main thread.
const STACK: usize = 8 << 20;

/// The threads of an engine, with what they have learned. The thread that calls is the first.
pub struct Pool {
    /// All but the first; `None` if there are none.
    helpers: Option<ThreadPool>,
    experience: Experience,
}

impl Pool {
    /// So many threads, at least one; fewer if the system gives no more.
    pub fn new<G: Geometry>(threads: usize) -> Self {
        let helpers = (1..threads).rev().find_map(start);
        Pool { helpers, experience: Experience::new::<G>() }
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        1 + self.helpers.as_ref().map_or(0, ThreadPool::current_num_threads)
    }

    /// Forgets what was learned.
    pub fn forget<G: Geometry>(&mut self) {
        self.experience = Experience::new::<G>();
    }

    /// Runs `lead` on this thread and, at the same time, `help` on each of the others, until `lead`
    /// is over; `help` must then come to its end by itself.
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

fn start(threads: usize) -> Option<ThreadPool> {
    let name = |index| format!("search {}", index + 2);
    let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
    let pool = builder.thread_name(name).build();
    pool.inspect_err(|error| log::warn!("no {threads} more threads: {error}")).ok()
}

/// What the threads of one search tell each other.
#[derive(Default)]
pub(super) struct Tally {
    /// Nodes by thread.
    nodes: Vec<Counter>,
    is_over: AtomicBool,
    /// What moves they are at.
    pub(super) busy: Busy,
}

/// A number in a cache line of its own, so that threads do not wait for each other.
#[derive(Default)]
#[repr(align(128))]
struct Counter(AtomicU64);

impl Tally {
    /// For so many threads.
    pub(super) fn new(threads: usize) -> Self {
        Tally {
            nodes: (0..threads).map(|_| Counter::default()).collect(),
            is_over: AtomicBool::new(false),
            busy: Busy::new(threads),
        }
    }

    /// A thread has searched so many nodes in all.
    pub(super) fn set_nodes(&self, thread: usize, nodes: u64) {
        self.nodes[thread].0.store(nodes, Ordering::Relaxed);
    }

    /// Nodes of all threads.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.0.load(Ordering::Relaxed)).sum()
    }

    /// The first thread has its result.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Whether the first thread has its result.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}
