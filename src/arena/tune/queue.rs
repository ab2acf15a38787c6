//! What the workers share: the tuner, which knows the pairs to be played, and the way to report
//! results.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::arena::referee::Abandoned;
use crate::runtime::interrupt::Interrupt;

use super::pair::{EndedPair, PairResult, PairTask};
use super::tuner::{AppliedStep, Tuner};

/// Why a run has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TuneCause {
    /// All steps have been applied.
    Complete,
    /// What is missing is for others to play.
    Waiting,
    /// The run was interrupted.
    Interrupted,
    /// More pairs than [`max_faults`] allows were lost to faults of the engine.
    Faults,
    /// The engine cannot play, or can no longer play: why.
    Unsuitable(String),
}

/// What happens during a run.
#[derive(Clone, Copy, Debug)]
pub enum TuneEvent<'a> {
    /// A pair that was played here has ended.
    Pair(&'a EndedPair),
    /// A step has been applied.
    Step(&'a AppliedStep),
}

/// Keeps and shows what happens.
pub type TuneWatch<'a> = dyn FnMut(TuneEvent<'_>, &Tuner) -> io::Result<()> + Send + 'a;

/// The most faulty pairs in a run that has ended this number of games: ten, and one game in 100.
pub fn max_faults(games: u64) -> u64 {
    10 + games / 100
}

/// How often a worker without work looks whether the run has been interrupted.
const GLANCE: Duration = Duration::from_millis(100);

/// The queue of a run.
pub(super) struct TuneQueue<'a> {
    state: Mutex<QueueState<'a>>,
    /// Signals that pairs may have become playable, or that the run is over.
    changed: Condvar,
    interrupt: &'a Interrupt,
}

struct QueueState<'a> {
    tuner: &'a mut Tuner,
    watch: &'a mut TuneWatch<'a>,
    /// Pairs that have ended in this run.
    pairs: u64,
    /// Faulty pairs of this run.
    faults: u64,
    /// Why the run is over; `None` while it is not.
    end: Option<io::Result<TuneCause>>,
}

impl<'a> TuneQueue<'a> {
    pub(super) fn new(
        tuner: &'a mut Tuner,
        watch: &'a mut TuneWatch<'a>,
        interrupt: &'a Interrupt,
    ) -> TuneQueue<'a> {
        let state = Mutex::new(QueueState { tuner, watch, pairs: 0, faults: 0, end: None });
        TuneQueue { state, changed: Condvar::new(), interrupt }
    }

    /// The next pair to be played, as soon as there is one; `None` when the run is over, or if it
    /// depends on others whether there will be one.
    pub(super) fn next(&self) -> Option<PairTask> {
        let mut state = self.lock();
        while !state.is_over(self.interrupt) {
            match state.next_pair() {
                Ok(None) if state.tuner.has_others() => return None,
                Ok(None) => {}
                Ok(task) => return task,
                Err(error) => {
                    state.end = Some(Err(error));
                    self.announce(&state);
                    return None;
                }
            }
            let waited = self.changed.wait_timeout(state, GLANCE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }

    /// Takes the result of a pair. Once the run is over, results are ignored.
    pub(super) fn end_pair(&self, ended: &EndedPair) {
        let mut state = self.lock();
        if !state.is_over(self.interrupt) {
            state.end = state.take(ended).transpose();
            self.announce(&state);
        }
    }

    /// Ends the run, because a game has no result.
    pub(super) fn abandon(&self, abandoned: Abandoned) {
        let cause = match abandoned {
            Abandoned::Interrupted => TuneCause::Interrupted,
            Abandoned::Unsuitable(_, what) => TuneCause::Unsuitable(what),
        };
        let mut state = self.lock();
        state.end.get_or_insert(Ok(cause));
        self.announce(&state);
    }

    /// Ends the run, because a worker cannot be started.
    pub(super) fn stop(&self) {
        self.interrupt.set();
    }

    /// What stops the games that are being played.
    pub(super) fn interrupt(&self) -> &Interrupt {
        self.interrupt
    }

    /// Why the run is over, and the number of pairs that have ended in it.
    ///
    /// # Errors
    ///
    /// A step could not be kept.
    pub(super) fn end(self) -> io::Result<(TuneCause, u64)> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let cause = match state.end {
            Some(end) => end?,
            None if state.tuner.is_finished() => TuneCause::Complete,
            None if self.interrupt.is_set() => TuneCause::Interrupted,
            None => TuneCause::Waiting,
        };
        Ok((cause, state.pairs))
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the workers without work. If the run is over, stops those that play.
    fn announce(&self, state: &QueueState<'_>) {
        if state.end.is_some() {
            self.interrupt.set();
        }
        self.changed.notify_all();
    }
}

impl QueueState<'_> {
    fn is_over(&self, interrupt: &Interrupt) -> bool {
        self.end.is_some() || interrupt.is_set()
    }

    /// The next pair to be played, after the steps that others have completed.
    fn next_pair(&mut self) -> io::Result<Option<PairTask>> {
        loop {
            let task = self.tuner.next_pair();
            if task.is_some() || !self.apply()? {
                return Ok(task);
            }
        }
    }

    /// Applies the steps that are complete. Returns whether there were any.
    fn apply(&mut self) -> io::Result<bool> {
        let before = self.tuner.steps();
        while let Some(step) = self.tuner.apply() {
            (self.watch)(TuneEvent::Step(&step), self.tuner)?;
        }
        Ok(self.tuner.steps() > before)
    }

    /// Counts a pair and applies the steps that it completes. Returns why the run is over, if it
    /// is.
    fn take(&mut self, ended: &EndedPair) -> io::Result<Option<TuneCause>> {
        self.tuner.end_pair(ended.pair, &ended.result);
        self.pairs += 1;
        self.faults += u64::from(matches!(ended.result, PairResult::Faulty(_)));
        (self.watch)(TuneEvent::Pair(ended), self.tuner)?;
        self.apply()?;
        if self.tuner.is_finished() {
            return Ok(Some(TuneCause::Complete));
        }
        Ok((self.faults > max_faults(self.tuner.ended_games())).then_some(TuneCause::Faults))
    }
}
