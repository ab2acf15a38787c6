//! The thread that searches, one position after the other.

use std::any::Any;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::search::{Control, Limits};

use super::player::{Answer, Player};
use super::session::Event;

/// A search has as much stack as a main thread.
const STACK: usize = 8 << 20;

/// A search to be made.
pub struct Job {
    /// Who searches its position.
    pub player: Box<dyn Player>,
    /// For how long.
    pub limits: Limits,
    /// How it is told to stop.
    pub control: Control,
}

/// The player comes back with its answer; one whose search has panicked does not, and the message
/// comes instead.
pub type SearchResult = Result<(Box<dyn Player>, Answer), String>;

/// The way to the thread, which ends when this is dropped and its search is over.
pub struct Searcher(Sender<Job>);

impl Searcher {
    /// Starts the thread. It answers each job with reports and, always, [`Event::Finished`].
    ///
    /// # Errors
    ///
    /// The system gives no thread.
    pub fn start(events: Sender<Event>) -> io::Result<Searcher> {
        let (sender, jobs) = mpsc::channel();
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK);
        thread.spawn(move || work(&jobs, &events))?;
        Ok(Searcher(sender))
    }

    /// Begins a search.
    pub fn begin(&self, job: Job) {
        // The thread listens as long as there is a searcher.
        let _ = self.0.send(job);
    }
}

fn work(jobs: &Receiver<Job>, events: &Sender<Event>) {
    for Job { mut player, limits, control } in jobs {
        // A session that has ended does not listen any more: failed sends mean nothing.
        let mut sink = |report| {
            let _ = events.send(Event::Report(report));
        };
        let search = AssertUnwindSafe(|| player.go(limits, &control, &mut sink));
        // After a panic the player may be in any state: it is given up.
        let result = panic::catch_unwind(search)
            .map_err(|payload| panic_message(payload.as_ref()))
            .map(|answer| (player, answer));
        let _ = events.send(Event::Finished(result));
    }
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown reason".to_owned())
}
