//! Counts of the positions of a slice, by value and by distance.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::parallel;

use super::index::Index;
use super::value::{Value, Verdict};
use crate::progress::Progress;

/// Position counts by value, separately for quiet positions and for those with a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ValueCounts {
    /// The number of quiet positions, indexed by [`Value`].
    pub quiet: [u64; 3],
    /// The number of positions where a capture is available, indexed by [`Value`].
    pub capture: [u64; 3],
}

impl ValueCounts {
    /// Counts one position.
    #[inline(always)]
    pub fn add(&mut self, value: Value, is_capture: bool) {
        let counts = if is_capture { &mut self.capture } else { &mut self.quiet };
        counts[value as usize] += 1;
    }

    /// The sum of two counts.
    pub fn plus(self, other: Self) -> Self {
        let sum = |one: [u64; 3], two: [u64; 3]| [0, 1, 2].map(|value| one[value] + two[value]);
        ValueCounts {
            quiet: sum(self.quiet, other.quiet),
            capture: sum(self.capture, other.capture),
        }
    }

    /// The number of positions with a value.
    pub fn of(&self, value: Value) -> u64 {
        self.quiet[value as usize] + self.capture[value as usize]
    }
}

/// The positions of a slice, grouped by verdict.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VerdictCounts(BTreeMap<Verdict, VerdictGroup>);

/// The positions with the same verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerdictGroup {
    /// The number of positions in which the side to move has no capture.
    pub quiet: u64,
    /// The number of positions in which the side to move has a capture.
    pub capture: u64,
    /// The lowest position number in the group.
    pub first: u64,
}

impl VerdictCounts {
    /// Counts the positions of a slice on rayon's threads; `chunk` counts those in one chunk, given
    /// their position numbers. Returns `None` if `chunk` returns `None` or `progress` requests a
    /// stop. Each position is one step of progress.
    pub(super) fn of_chunks(
        index: &Index,
        progress: &dyn Progress,
        chunk: &(dyn Fn(Range<u64>) -> Option<VerdictCounts> + Sync),
    ) -> Option<VerdictCounts> {
        let chunks = parallel::map(index.chunks(), &|number| {
            let numbers = index.chunk(number);
            if progress.is_stopped() {
                return None;
            }
            progress.advance(numbers.end - numbers.start);
            chunk(numbers)
        });
        chunks.into_iter().try_fold(VerdictCounts::default(), |all, chunk| Some(all.plus(chunk?)))
    }

    /// Counts one position.
    pub(super) fn add(&mut self, number: u64, is_capture: bool, verdict: Verdict) {
        let [quiet, capture] = [!is_capture, is_capture].map(u64::from);
        self.insert(verdict, VerdictGroup { quiet, capture, first: number });
    }

    fn insert(&mut self, verdict: Verdict, group: VerdictGroup) {
        let plus = |known: &mut VerdictGroup| {
            known.quiet += group.quiet;
            known.capture += group.capture;
            known.first = known.first.min(group.first);
        };
        self.0.entry(verdict).and_modify(plus).or_insert(group);
    }

    fn plus(mut self, other: VerdictCounts) -> VerdictCounts {
        for (verdict, group) in other.0 {
            self.insert(verdict, group);
        }
        self
    }

    /// All groups, from the worst verdict to the best.
    pub fn groups(&self) -> impl Iterator<Item = (Verdict, VerdictGroup)> {
        self.0.iter().map(|(&verdict, &group)| (verdict, group))
    }

    /// The verdict with the greatest distance among those with a given value, and its positions;
    /// `None` if no position has that value.
    pub fn longest(&self, value: Value) -> Option<(Verdict, VerdictGroup)> {
        let groups = self.groups().filter(|(verdict, _)| verdict.value == value);
        groups.max_by_key(|(verdict, _)| verdict.plies)
    }
}
