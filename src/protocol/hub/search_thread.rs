//! The thread that runs searches, one at a time.

use std::any::Any;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::engine::Engine;
use crate::search::{Control, Info, Limits, STACK_SIZE, SearchResult};

use super::event::{HubEvent, SearchAnswer};
use super::searcher::{SearchJob, Searcher};

/// The function that searches: [`Engine::go`], or a substitute in tests.
pub type Go = fn(&mut Engine, Limits, &Control, &mut dyn FnMut(&Info)) -> SearchResult;

/// Searches on a thread, which starts with the first search and ends once this is dropped and the
/// last search is over.
pub struct SearchThread {
    go: Go,
    events: Sender<HubEvent>,
    /// The thread's end of the jobs; `None` before the first search.
    jobs: Option<Sender<SearchJob>>,
}

impl SearchThread {
    /// For each job the thread sends any number of [`HubEvent::Info`] and then exactly one
    /// [`HubEvent::Finished`].
    pub fn new(go: Go, events: Sender<HubEvent>) -> SearchThread {
        SearchThread { go, events, jobs: None }
    }

    fn start(&self) -> io::Result<Sender<SearchJob>> {
        let (sender, jobs) = mpsc::channel();
        let (go, events) = (self.go, self.events.clone());
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK_SIZE);
        thread.spawn(move || work(go, &jobs, &events))?;
        Ok(sender)
    }
}

impl Searcher for SearchThread {
    fn begin(&mut self, job: SearchJob) -> io::Result<()> {
        let jobs = match self.jobs.take() {
            Some(jobs) => jobs,
            None => self.start()?,
        };
        // The thread keeps receiving until this sender is dropped.
        let _ = self.jobs.insert(jobs).send(job);
        Ok(())
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
    if job.is_over() {
        return SearchAnswer::default();
    }
    go(&mut job.engine, job.limits, &job.control, &mut |info| {
        // Sending fails only if the session has ended.
        let _ = events.send(HubEvent::Info(info.clone()));
    })
    .into()
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown reason".to_owned())
}
