//! Counts of the positions of a slice by value and distance.

use std::collections::BTreeMap;

use crate::movegen::outlined;
use crate::parallel;
use crate::rules::Rules;

use super::file::Content;
use super::set::BitbaseSet;
use super::slice::Slice;
use super::value::Value;
use super::verdict::Verdict;
use super::watch::SolveWatch;
use crate::position::Pieces;

/// The positions of a slice, grouped by verdict.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Census(BTreeMap<Verdict, Group>);

/// The positions with the same verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// The number of positions in which the side to move has no capture.
    pub quiet: u64,
    /// The number of positions in which it has one.
    pub capture: u64,
    /// The lowest position number in the group.
    pub first: u64,
}

impl Census {
    /// Counts a slice on rayon's threads; `None` if a position is unknown or `watch` requests a
    /// stop. Each position is one step.
    pub fn take<R: Rules>(
        slice: Slice,
        bitbases: &BitbaseSet<R>,
        watch: &dyn SolveWatch,
    ) -> Option<Census> {
        let index = bitbases.file(slice, Content::Values)?.index();
        let chunks = parallel::map(index.chunks(), &|chunk| {
            let numbers = index.chunk(chunk);
            if watch.is_stopped() {
                return None;
            }
            watch.advance(numbers.end - numbers.start);
            let mut census = Census::default();
            let mut cursor = index.cursor(numbers.start);
            for number in numbers {
                census.add(number, &cursor.pieces(), bitbases)?;
                cursor.advance();
            }
            Some(census)
        });
        chunks.into_iter().try_fold(Census::default(), |all, chunk| Some(all.plus(chunk?)))
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
            Group { quiet: u64::from(!is_capture), capture: u64::from(is_capture), first: number },
        );
        Some(())
    }

    fn insert(&mut self, verdict: Verdict, group: Group) {
        let plus = |known: &mut Group| {
            known.quiet += group.quiet;
            known.capture += group.capture;
            known.first = known.first.min(group.first);
        };
        self.0.entry(verdict).and_modify(plus).or_insert(group);
    }

    fn plus(mut self, other: Census) -> Census {
        for (verdict, group) in other.0 {
            self.insert(verdict, group);
        }
        self
    }

    /// All groups, the best verdict last.
    pub fn groups(&self) -> impl Iterator<Item = (Verdict, Group)> {
        self.0.iter().map(|(&verdict, &group)| (verdict, group))
    }

    /// The positions of a value with the greatest distance; `None` if there are none.
    pub fn longest(&self, value: Value) -> Option<(Verdict, Group)> {
        let groups = self.groups().filter(|(verdict, _)| verdict.value == value);
        groups.max_by_key(|(verdict, _)| verdict.plies)
    }
}
