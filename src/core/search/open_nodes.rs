//! The nodes that a thread is in the middle of. Once another thread has finished one of them, going
//! on below it is wasted: the threads that search the same node should end together, as in the
//! young brothers wait concept (R. Feldmann, *Game tree search on massively parallel systems*,
//! 1993). The news comes by the transposition table.

use crate::position::Key;
use crate::score::Score;
use crate::tt::TranspositionTable;

use super::record::Task;

/// The open nodes of a thread, from the root on.
#[derive(Default)]
pub(super) struct OpenNodes {
    nodes: Vec<(Key, Task)>,
    /// The level of a node that another thread has finished, and its score.
    finished: Option<(usize, Score)>,
}

impl OpenNodes {
    /// Adds a node and returns its level.
    pub(super) fn push(&mut self, key: Key, task: Task) -> usize {
        self.nodes.push((key, task));
        self.nodes.len() - 1
    }

    /// Removes the node of a level and those below it. Returns its score if [`OpenNodes::look`] has
    /// found it finished.
    pub(super) fn pop(&mut self, level: usize) -> Option<Score> {
        self.nodes.truncate(level);
        self.finished.take_if(|&mut (finished, _)| finished == level).map(|(_, score)| score)
    }

    /// Looks for a node that another thread has finished, the nearest to the root. Returns whether
    /// there is one.
    pub(super) fn look(&mut self, tt: &TranspositionTable) -> bool {
        let decision = |&(key, task): &(Key, Task)| task.decision(tt.probe(key, task.ply)?);
        let mut nodes = self.nodes.iter().enumerate();
        self.finished = nodes.find_map(|(level, node)| Some((level, decision(node)?)));
        self.finished.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Bound;
    use crate::tt::Entry;

    #[test]
    fn the_first_finished_node_is_found() {
        let tt = TranspositionTable::new(16);
        let mut open = OpenNodes::default();
        let window = |alpha, beta| Task {
            depth: 5,
            ply: 0,
            alpha: Score(alpha),
            beta: Score(beta),
            ..Task::ROOT
        };
        for (key, task) in [(7, window(-50, 50)), (8, window(-1, 0)), (9, window(0, 1))] {
            open.push(Key(key << 32), task);
        }
        let store = |key: u64, score, bound, depth| {
            tt.store(Key(key << 32), 0, Entry { mv: None, score: Score(score), bound, depth });
        };
        assert!(!open.look(&tt));
        store(8, -9, Bound::Lower, 5);
        store(9, 40, Bound::Exact, 4);
        assert!(!open.look(&tt), "a bound inside the window, and a score of too small a depth");
        store(8, 9, Bound::Lower, 5);
        store(9, 40, Bound::Exact, 5);
        assert!(open.look(&tt));
        assert_eq!([2, 1, 0].map(|level| open.pop(level)), [None, Some(Score(9)), None]);
    }
}
