//! The thread that runs searches, one at a time.

use std::any::Any;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::engine::Engine;
use crate::search::{Best, Control, Info, Limits};

use super::event::{HubEvent, SearchAnswer};

/// The stack size of the thread in bytes, that of a typical main thread.
const STACK: usize = 8 << 20;

/// The function that searches: [`Engine::go`], or a substitute in tests.
pub type Go = fn(&mut Engine, Limits, &Control, &mut dyn FnMut(&Info)) -> Best;

/// A search to run.
pub struct SearchJob {
    /// The engine, with the position to search.
    pub engine: Box<Engine>,
    /// When to stop.
    pub limits: Limits,
    /// The signals to the running search.
    pub control: Control,
}

/// A handle to the thread, which ends once the handle is dropped and its search is over.
pub struct SearchThread(Sender<SearchJob>);

impl SearchThread {
    /// Starts the thread. For each job it sends any number of [`HubEvent::Info`] and then exactly
    /// one [`HubEvent::Finished`].
    ///
    /// # Errors
    ///
    /// The system cannot create a thread.
    pub fn start(go: Go, events: Sender<HubEvent>) -> io::Result<SearchThread> {
        let (sender, jobs) = mpsc::channel();
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK);
        thread.spawn(move || work(go, &jobs, &events))?;
        Ok(SearchThread(sender))
    }

    /// Starts a search.
    pub fn begin(&self, job: SearchJob) {
        // The thread keeps receiving until this handle is dropped.
        let _ = self.0.send(job);
    }
}

fn work(go: Go, jobs: &Receiver<SearchJob>, events: &Sender<HubEvent>) {
    for mut job in jobs {
        let search = AssertUnwindSafe(|| run(go, &mut job, events));
        // After a panic the engine may be in an inconsistent state: it is dropped.
        let result = panic::catch_unwind(search)
            .map_err(|payload| panic_message(payload.as_ref()))
            .map(|answer| (job.engine, answer));
        // Sending fails only if the session has ended.
        let _ = events.send(HubEvent::Finished(result));
    }
}

/// Runs a search. The answer is empty if the game is already over.
fn run(go: Go, job: &mut SearchJob, events: &Sender<HubEvent>) -> SearchAnswer {
    if !job.engine.game().position().has_move() {
        return SearchAnswer::default();
    }
    let best = go(&mut job.engine, job.limits, &job.control, &mut |info| {
        // Sending fails only if the session has ended.
        let _ = events.send(HubEvent::Info(info.clone()));
    });
    SearchAnswer { mv: best.mv, ponder: best.ponder, info: Some(best.info) }
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown reason".to_owned())
}
