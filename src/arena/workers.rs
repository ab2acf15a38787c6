//! Threads that play games: those of a match, and those of a tuning.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::runtime::interrupt::Interrupt;

use super::client::EngineHandle;

/// The tasks of a run, and the results of those that are finished. Workers share it behind a lock.
pub(super) trait TaskQueue: Send {
    /// One or more games that a worker plays.
    type Task;
    /// A result of a task.
    type Outcome;
    /// Why the run is over.
    type End: Send;

    /// The next task of a worker. Fails if a result cannot be recorded.
    fn next(&mut self) -> io::Result<NextTask<Self::Task>>;

    /// Counts a result. Returns why the run is over, if it is. Fails if the result cannot be recorded.
    fn add(&mut self, outcome: Self::Outcome) -> io::Result<Option<Self::End>>;
}

/// The next task of a worker.
pub(super) enum NextTask<T> {
    /// Play this.
    Play(T),
    /// Wait for a result of another worker.
    Wait,
    /// Stop.
    Stop,
}

/// How the tasks of a queue are played.
pub(super) trait TaskPlayer<Q: TaskQueue>: Sync {
    /// The engines of one worker, not yet started.
    fn engines(&self) -> Vec<EngineHandle>;

    /// Plays a task and passes its results to `add`. The error says why the run must end; `None` if it
    /// was interrupted.
    fn play(
        &self,
        task: Q::Task,
        engines: &mut [EngineHandle],
        add: &mut dyn FnMut(Q::Outcome),
    ) -> Result<(), Option<Q::End>>;
}

/// Plays the tasks of a queue on `count` threads until there are no more, the run ends, or it is
/// interrupted. Returns why the queue or a player has ended it. Games still being played then do not
/// count; `interrupt` stops them.
///
/// # Errors
///
/// A result could not be recorded, or the system refuses a thread.
pub(super) fn play_all<Q: TaskQueue>(
    queue: &mut Q,
    player: &impl TaskPlayer<Q>,
    count: usize,
    interrupt: &Interrupt,
) -> io::Result<Option<Q::End>> {
    let state = Mutex::new(RunState { queue, end: None });
    let run = Run { state, changed: Condvar::new(), interrupt };
    thread::scope(|scope| {
        (0..count).try_for_each(|number| {
            let worker = thread::Builder::new().name(format!("worker {}", number + 1));
            let worker = worker.spawn_scoped(scope, || run.work(player));
            // Without this worker, those already started stop.
            worker.map(drop).inspect_err(|_| interrupt.set())
        })
    })?;
    run.state.into_inner().unwrap_or_else(PoisonError::into_inner).end.transpose()
}

/// The state shared by the workers.
struct Run<'a, Q: TaskQueue> {
    state: Mutex<RunState<'a, Q>>,
    /// Signals that there may be tasks again, or that the run is over.
    changed: Condvar,
    interrupt: &'a Interrupt,
}

struct RunState<'a, Q: TaskQueue> {
    queue: &'a mut Q,
    /// Why the run is over; `None` until then.
    end: Option<io::Result<Q::End>>,
}

impl<'a, Q: TaskQueue> Run<'a, Q> {
    fn work(&self, player: &impl TaskPlayer<Q>) {
        let mut engines = player.engines();
        while let Some(task) = self.next() {
            if let Err(end) = player.play(task, &mut engines, &mut |outcome| self.add(outcome)) {
                self.end(&mut self.lock(), end.map(Ok));
            }
        }
        engines.iter_mut().for_each(EngineHandle::quit);
    }

    /// The next task, as soon as there is one; `None` if this worker should stop.
    fn next(&self) -> Option<Q::Task> {
        /// The interval at which a waiting worker checks for an interruption.
        const POLL_INTERVAL: Duration = Duration::from_millis(100);
        let mut state = self.lock();
        while state.end.is_none() && !self.interrupt.is_set() {
            match state.queue.next() {
                Ok(NextTask::Play(task)) => return Some(task),
                Ok(NextTask::Stop) => return None,
                Ok(NextTask::Wait) => {
                    let waited = self.changed.wait_timeout(state, POLL_INTERVAL);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                Err(error) => self.end(&mut state, Some(Err(error))),
            }
        }
        None
    }

    /// Adds a result, unless the run is over.
    fn add(&self, outcome: Q::Outcome) {
        let mut state = self.lock();
        if state.end.is_none() {
            let end = state.queue.add(outcome).transpose();
            self.end(&mut state, end);
        }
    }

    /// Ends the run if there is a reason, and wakes the waiting workers.
    fn end(&self, state: &mut RunState<'a, Q>, end: Option<io::Result<Q::End>>) {
        if state.end.is_none() {
            state.end = end;
        }
        if state.end.is_some() {
            self.interrupt.set();
        }
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, RunState<'a, Q>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
