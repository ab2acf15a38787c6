//! Worker threads that play the games of a match or a tuning run.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::runtime::interrupt::Interrupt;

use super::client::EngineHandle;

/// The tasks of a run, and the results of finished tasks. All workers share one queue, behind a
/// lock.
pub(super) trait TaskQueue: Send {
    /// One or more games for one worker to play.
    type Task;
    /// A result that playing a task produces: the result of one game or of a pair of games.
    type Outcome;
    /// The reason for ending the run.
    type End: Send;

    /// Returns the next task for a worker. Fails if a result cannot be recorded.
    fn next(&mut self) -> io::Result<NextTask<Self::Task>>;

    /// Counts a result. Returns the reason for ending the run if this result ends it. Fails if the
    /// result cannot be recorded.
    fn add(&mut self, outcome: Self::Outcome) -> io::Result<Option<Self::End>>;
}

/// The next action of a worker.
pub(super) enum NextTask<T> {
    /// Play this task.
    Play(T),
    /// Wait until another worker has finished a task.
    Wait,
    /// Stop: no tasks are left for this process.
    Stop,
}

/// Plays the tasks of a queue.
pub(super) trait TaskPlayer<Q: TaskQueue>: Sync {
    /// The engines of the worker with this number, from 0; the engines are not yet started.
    fn engines(&self, worker: usize) -> Vec<EngineHandle>;

    /// Plays a task and passes its results to `add`. If the task cannot be finished, the error is
    /// the reason for ending the run, or `None` after an interrupt.
    fn play(
        &self,
        task: Q::Task,
        engines: &mut [EngineHandle],
        add: &mut dyn FnMut(Q::Outcome),
    ) -> Result<(), Option<Q::End>>;
}

/// Plays the tasks of a queue on `count` threads until no tasks are left, the run ends, or
/// `interrupt` is set. Returns the reason for ending the run if the queue or the player gave one.
/// Ending the run sets `interrupt`, which stops the games in progress; unfinished games do not
/// count.
///
/// # Errors
///
/// A result cannot be recorded, or a thread cannot be started.
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
            let worker = worker.spawn_scoped(scope, {
                let run = &run;
                move || run.work(player, number)
            });
            // If a thread cannot be started, the workers already running are stopped.
            worker.map(drop).inspect_err(|_| interrupt.set())
        })
    })?;
    run.state.into_inner().unwrap_or_else(PoisonError::into_inner).end.transpose()
}

/// The state shared by the workers.
struct Run<'a, Q: TaskQueue> {
    state: Mutex<RunState<'a, Q>>,
    /// Signals to waiting workers that a task may be available or that the run is over.
    changed: Condvar,
    interrupt: &'a Interrupt,
}

struct RunState<'a, Q: TaskQueue> {
    queue: &'a mut Q,
    /// The reason for ending the run; `None` while the run continues.
    end: Option<io::Result<Q::End>>,
}

impl<'a, Q: TaskQueue> Run<'a, Q> {
    fn work(&self, player: &impl TaskPlayer<Q>, number: usize) {
        let mut engines = player.engines(number);
        while let Some(task) = self.next() {
            if let Err(end) = player.play(task, &mut engines, &mut |outcome| self.add(outcome)) {
                self.end(&mut self.lock(), end.map(Ok));
            }
        }
        engines.iter_mut().for_each(EngineHandle::quit);
    }

    /// Waits for the next task. Returns `None` if this worker should stop.
    fn next(&self) -> Option<Q::Task> {
        /// The interval at which a waiting worker checks for an interrupt.
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

    /// Ends the run if `end` contains a reason, and wakes the waiting workers.
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
