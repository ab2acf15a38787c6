//! The background threads of a session: one reads lines, one searches. Both send events.

use std::any::Any;
use std::io::{self, BufRead, Read};
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;

use crate::board::Move;
use crate::engine::Engine;
use crate::search::{Control, Info, Limits, STACK_SIZE, SearchResult};

/// The maximum length of a line in bytes. A game of a thousand moves takes 10 kB.
pub const MAX_LINE: u64 = 1 << 20;

/// The maximum number of lines that have been read but not handled, so that a client that sends
/// lines faster than they are handled cannot exhaust memory.
const MAX_UNHANDLED_LINES: usize = 64;

/// An event in a session.
pub enum HubEvent {
    /// The client sent a line.
    Line(String),
    /// The input ended.
    EndOfInput,
    /// The running search reported progress.
    Info(Info),
    /// The search finished.
    Finished(SearchEnd),
}

/// The engine and the answer. If the search panicked, the engine is discarded, and this is the
/// panic message instead.
pub type SearchEnd = Result<(Box<Engine>, SearchAnswer), String>;

/// The result of a search. All fields are `None` if the game was already over.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchAnswer {
    /// The move to play.
    pub mv: Option<Move>,
    /// The expected reply of the opponent.
    pub ponder: Option<Move>,
    /// The final [`Info`] of the search.
    pub info: Option<Info>,
}

impl From<SearchResult> for SearchAnswer {
    fn from(best: SearchResult) -> Self {
        SearchAnswer { mv: best.mv, ponder: best.ponder, info: Some(best.info) }
    }
}

/// Starts a thread that sends every line of the input, then [`HubEvent::EndOfInput`]. For each line
/// the receiver of the events must receive one `()` from the returned channel once it has handled
/// the line; the thread waits while too many lines are unhandled.
///
/// # Errors
///
/// The system cannot create a thread.
pub fn read_lines(
    mut input: impl BufRead + Send + 'static,
    events: Sender<HubEvent>,
) -> io::Result<Receiver<()>> {
    let (unhandled, handled): (SyncSender<()>, _) = mpsc::sync_channel(MAX_UNHANDLED_LINES);
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let events = EndOnDrop(events);
        // A read error counts as the end of the input.
        while let Ok(Some(line)) = read_line(&mut input) {
            // Sending fails only if the session has ended.
            if unhandled.send(()).is_err() || events.0.send(HubEvent::Line(line)).is_err() {
                return;
            }
        }
    })?;
    Ok(handled)
}

/// Sends [`HubEvent::EndOfInput`] when dropped, even if the reader thread panics.
struct EndOnDrop(Sender<HubEvent>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        // Sending fails only if the session has ended.
        let _ = self.0.send(HubEvent::EndOfInput);
    }
}

/// The next line without its terminator; `None` at the end of the input. Invalid UTF-8 is replaced.
/// A line that is too long is returned as an empty line, since its first part alone could be
/// another command.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let length = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes)?;
    if length as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        log::warn!("a line of more than {MAX_LINE} bytes ignored");
        bytes.clear();
    }
    Ok((length > 0).then(|| String::from_utf8_lossy(&bytes).trim_end().to_owned()))
}

/// Runs the searches of a session, one at a time.
pub trait Searcher {
    /// Starts a search.
    ///
    /// # Errors
    ///
    /// The system cannot create a thread.
    fn start(&mut self, job: SearchJob) -> io::Result<()>;
}

/// A search to run.
pub struct SearchJob {
    /// The engine, with the position to search.
    pub engine: Box<Engine>,
    /// The limits of the search.
    pub limits: Limits,
    /// The handle that stops or signals the search.
    pub control: Control,
}

impl SearchJob {
    /// Whether the game is over, in which case the answer is empty.
    pub fn is_over(&self) -> bool {
        !self.engine.game().position().has_move()
    }
}

/// The function that searches: [`Engine::go`], or a substitute in tests.
pub type SearchFn = fn(&mut Engine, Limits, &Control, &mut dyn FnMut(&Info)) -> SearchResult;

/// Searches on a dedicated thread. The thread starts with the first search and ends once this value
/// has been dropped and the last search has finished.
pub struct SearchThread {
    search: SearchFn,
    events: Sender<HubEvent>,
    /// Sends jobs to the thread; `None` before the first search.
    jobs: Option<Sender<SearchJob>>,
}

impl SearchThread {
    /// For each job the thread sends any number of [`HubEvent::Info`] and then exactly one
    /// [`HubEvent::Finished`].
    pub fn new(search: SearchFn, events: Sender<HubEvent>) -> SearchThread {
        SearchThread { search, events, jobs: None }
    }

    fn spawn(&self) -> io::Result<Sender<SearchJob>> {
        let (sender, jobs) = mpsc::channel();
        let (search, events) = (self.search, self.events.clone());
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK_SIZE);
        thread.spawn(move || run_jobs(search, &jobs, &events))?;
        Ok(sender)
    }
}

impl Searcher for SearchThread {
    fn start(&mut self, job: SearchJob) -> io::Result<()> {
        let jobs = match self.jobs.take() {
            Some(jobs) => jobs,
            None => self.spawn()?,
        };
        // Sending cannot fail: the thread receives jobs until this sender is dropped.
        let _ = self.jobs.insert(jobs).send(job);
        Ok(())
    }
}

fn run_jobs(search: SearchFn, jobs: &Receiver<SearchJob>, events: &Sender<HubEvent>) {
    for mut job in jobs {
        let run = AssertUnwindSafe(|| run_job(search, &mut job, events));
        // After a panic, the engine may be in an inconsistent state, so it is dropped.
        let result = panic::catch_unwind(run)
            .map_err(|payload| panic_message(payload.as_ref()))
            .map(|answer| (job.engine, answer));
        // Sending fails only if the session has ended.
        let _ = events.send(HubEvent::Finished(result));
    }
}

/// Runs a search. The answer is empty if the game is already over.
fn run_job(search: SearchFn, job: &mut SearchJob, events: &Sender<HubEvent>) -> SearchAnswer {
    if job.is_over() {
        return SearchAnswer::default();
    }
    search(&mut job.engine, job.limits, &job.control, &mut |info| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lines_of_any_bytes() {
        let mut bytes = b"one\r\n\xff\xfe two\n".to_vec();
        bytes.extend(vec![b'x'; 2 * MAX_LINE as usize]);
        bytes.extend(b"\nlast");
        let mut input = bytes.as_slice();
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, ["one", "\u{fffd}\u{fffd} two", "", "last"]);
    }
}
