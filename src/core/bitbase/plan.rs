//! The division of a generation among processes.

use std::collections::{BTreeMap, BTreeSet};

use super::generate::needed;
use super::slice::Slice;

/// The most pieces of the slices that are made together in the first task: a second's work.
const TOGETHER: usize = 3;

/// A part of a generation for one process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedTask {
    /// The slices to make, with their mirrors, in this order.
    pub slices: Vec<Slice>,
    /// The tasks that have to be done before, by their places in the plan.
    pub after: BTreeSet<usize>,
}

/// The tasks that make all slices with 2 to `pieces` pieces, each after those it depends on.
pub fn plan(pieces: usize) -> Vec<PlannedTask> {
    let mut tasks: Vec<PlannedTask> = Vec::new();
    let mut makers = BTreeMap::new();
    for slice in (2..=pieces).flat_map(Slice::all) {
        if makers.contains_key(&slice) {
            continue;
        }
        let maker = if slice.pieces() <= TOGETHER { 0 } else { tasks.len() };
        if maker == tasks.len() {
            tasks.push(PlannedTask { slices: Vec::new(), after: BTreeSet::new() });
        }
        let task = &mut tasks[maker];
        task.slices.push(slice);
        task.after.extend(needed(slice).iter().map(|slice| makers[slice]));
        task.after.remove(&maker);
        makers.extend(slice.with_mirror().into_iter().map(|slice| (slice, maker)));
    }
    tasks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slice_is_made_once_and_after_those_it_leads_to() {
        for pieces in 2..=7 {
            let mut made = BTreeMap::new();
            for (number, task) in plan(pieces).iter().enumerate() {
                assert!(task.after.iter().all(|&before| before < number));
                for &slice in &task.slices {
                    for successor in slice.with_mirror().into_iter().flat_map(Slice::successors) {
                        let maker = made[&successor];
                        assert!(maker == number || task.after.contains(&maker), "{slice}");
                    }
                    for slice in slice.with_mirror() {
                        assert_eq!(made.insert(slice, number), None, "{slice} is made twice");
                    }
                }
            }
            let all: BTreeSet<_> = (2..=pieces).flat_map(Slice::all).collect();
            assert!(made.keys().copied().eq(all), "{pieces} pieces");
        }
    }
}
