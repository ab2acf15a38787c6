//! Counts of the positions of a slice, by value and by distance.

use std::collections::BTreeMap;

use crate::movegen::outlined;
use crate::parallel;
use crate::rules::Rules;

use super::file::Content;
use super::set::BitbaseSet;
use super::slice::Slice;
use super::value::Value;
use super::verdict::Verdict;
use crate::position::Pieces;
use crate::progress::Progress;

/// Position counts by value, separate for positions in which the side to move must capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ValueCounts {
    /// Positions without a capture, indexed by [`Value`].
    pub quiet: [u64; 3],
    /// Positions with a capture, indexed by [`Value`].
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

    /// The number of positions of a value.
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
    /// The number of positions in which it has one.
    pub capture: u64,
    /// The lowest position number in the group.
    pub first: u64,
}

impl VerdictCounts {
    /// Counts a slice on rayon's threads; `None` if a position is unknown or `progress` requests a
    /// stop. Each position is one step.
    pub fn of_slice<R: Rules>(
        slice: Slice,
        bitbases: &BitbaseSet<R>,
        progress: &dyn Progress,
    ) -> Option<VerdictCounts> {
        let index = bitbases.file(slice, Content::Values)?.index();
        let chunks = parallel::map(index.chunks(), &|chunk| {
            let numbers = index.chunk(chunk);
            if progress.is_stopped() {
                return None;
            }
            progress.advance(numbers.end - numbers.start);
            let mut counts = VerdictCounts::default();
            let mut cursor = index.cursor(numbers.start);
            for number in numbers {
                counts.add(number, &cursor.pieces(), bitbases)?;
                cursor.advance();
            }
            Some(counts)
        });
        chunks.into_iter().try_fold(VerdictCounts::default(), |all, chunk| Some(all.plus(chunk?)))
    }

    fn add<R: Rules>(
        &mut self,
        number: u64,
        pieces: &Pieces<R::Geometry>,
        bitbases: &BitbaseSet<R>,
    ) -> Option<()> {
        let position = pieces.position::<R>();
        let is_capture = outlined::has_capture(&position);
        let verdict = bitbases.verdict(&position)?;
        self.insert(
            verdict,
            VerdictGroup {
                quiet: u64::from(!is_capture),
                capture: u64::from(is_capture),
                first: number,
            },
        );
        Some(())
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

    /// All groups, the best verdict last.
    pub fn groups(&self) -> impl Iterator<Item = (Verdict, VerdictGroup)> {
        self.0.iter().map(|(&verdict, &group)| (verdict, group))
    }

    /// The positions of a value with the greatest distance; `None` if there are none.
    pub fn longest(&self, value: Value) -> Option<(Verdict, VerdictGroup)> {
        let groups = self.groups().filter(|(verdict, _)| verdict.value == value);
        groups.max_by_key(|(verdict, _)| verdict.plies)
    }
}
