//! Searches in slices, for hosts whose only thread has other work to do in between.
//!
//! Most of what a slice has found is in the transposition table and the histories; [`ResumeState`]
//! holds the rest.

use super::clock::Stopwatch;
use super::report::Info;

/// Where a search resumes; from the beginning by default.
#[derive(Debug)]
pub struct ResumeState<M>(pub(super) Option<Stretch<M>>);

impl<M> Default for ResumeState<M> {
    fn default() -> Self {
        ResumeState(None)
    }
}

/// What the slices so far have found.
#[derive(Debug)]
pub(super) struct Stretch<M> {
    /// The clock, which runs on between slices.
    pub(super) stopwatch: Stopwatch,
    /// The depth that was not completed.
    pub(super) depth: u32,
    /// The best lines, by rank.
    pub(super) lines: Vec<Info<M>>,
    /// What has been counted.
    pub(super) counts: Counts,
}

/// What a search thread counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Nodes.
    pub(super) nodes: u64,
    /// Ends of lines.
    pub(super) leaves: u64,
    /// The sum of their distances from the root, in plies.
    pub(super) leaf_plies: u64,
}
