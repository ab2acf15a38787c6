//! Counting a whole slice by value and distance.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::movegen;
use crate::rules::Rules;

use super::bitbases::Bitbases;
use super::file::Content;
use super::slice::Slice;
use super::solve::Watch;
use super::value::Value;
use super::verdict::Verdict;
use crate::position::Pieces;

/// The positions of a slice by what is known about them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Census(BTreeMap<Verdict, Group>);

/// Positions of which the same is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// How many there are in which the side to move has no capture to make.
    pub quiet: u64,
    /// How many there are with one.
    pub capture: u64,
    /// The number of the first in the index.
    pub first: u64,
}

impl Census {
    /// Counts a slice with rayon's threads; `None` if something is not known, or `watch` has said to
    /// stop. Each position is a step.
    pub fn take<R: Rules>(
        slice: Slice,
        bitbases: &Bitbases<R>,
        watch: &impl Watch,
    ) -> Option<Census> {
        let index = bitbases.file(slice, Content::Values)?.index();
        let chunks = (0..index.chunks()).into_par_iter().map(|chunk| {
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
        chunks.try_reduce(Census::default, |one, two| Some(one.plus(two)))
    }

    fn add<R: Rules>(
        &mut self,
        number: u64,
        pieces: &Pieces<R::Geometry>,
        bitbases: &Bitbases<R>,
    ) -> Option<()> {
        let position = pieces.position::<R>();
        let is_capture = movegen::has_capture(&position);
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

    /// The positions that take longest to win or to lose; `None` if there are none.
    pub fn longest(&self, value: Value) -> Option<(Verdict, Group)> {
        let groups = self.groups().filter(|(verdict, _)| verdict.value == value);
        groups.max_by_key(|(verdict, _)| verdict.plies)
    }
}
