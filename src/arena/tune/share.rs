//! A tuning that several processes play, each a share of its pairs: what one of them knows of the
//! others.

use std::collections::{HashMap, HashSet};

use super::pair::{EndedPair, PairResult, PairTask};

/// Which pairs are played here: those whose index divided by `of` leaves `place`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// The place of this process among those that play.
    pub place: usize,
    /// The number of processes, at least 1.
    pub of: usize,
}

impl Share {
    /// No pair: others play all of them.
    pub const NONE: Share = Share { place: 1, of: 1 };

    fn has(self, index: usize) -> bool {
        index % self.of == self.place
    }
}

/// What a tuner knows of pairs that are played elsewhere, or were in an earlier run.
#[derive(Clone, Debug)]
pub(super) struct RemotePairs {
    share: Option<Share>,
    /// Results of pairs whose turn has not come yet.
    early: HashMap<usize, PairResult>,
    /// Pairs whose turn has come, and whose results are not known.
    due: HashSet<usize>,
}

/// What becomes of a pair whose turn has come.
pub(super) enum Turn {
    /// It is played here.
    Here(PairTask),
    /// It has been played.
    Known(EndedPair),
    /// RemotePairs play it.
    Elsewhere,
}

impl RemotePairs {
    pub(super) fn new(share: Option<Share>) -> RemotePairs {
        RemotePairs { share, early: HashMap::new(), due: HashSet::new() }
    }

    /// Whether there are others to wait for.
    pub(super) fn exist(&self) -> bool {
        self.share.is_some()
    }

    /// The turn of a pair has come.
    pub(super) fn turn(&mut self, task: PairTask) -> Turn {
        let pair = task.index;
        if let Some(result) = self.early.remove(&pair) {
            return Turn::Known(EndedPair { pair, result });
        }
        if self.share.is_none_or(|share| share.has(pair)) {
            return Turn::Here(task);
        }
        self.due.insert(pair);
        Turn::Elsewhere
    }

    /// Takes a result. Returns it if the tuner is waiting for it; if its turn has not come it is
    /// kept, and if it is already known it is forgotten. `next` is the pair whose turn comes next.
    pub(super) fn learn(&mut self, ended: EndedPair, next: usize) -> Option<EndedPair> {
        if ended.pair >= next {
            self.early.entry(ended.pair).or_insert(ended.result);
            return None;
        }
        self.due.remove(&ended.pair).then_some(ended)
    }
}
