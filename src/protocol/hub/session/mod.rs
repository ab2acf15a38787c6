//! The loop of a session: lines in, lines out, one search at a time (with one thread: `slices`).
//!
//! Three threads share one channel: the reader sends lines, the search thread sends information and
//! results, and the session, the only one that writes, receives them in order. While a search runs
//! it owns the engine, and commands that do not concern the search wait.
//!
//! The channel is that of the standard library because its receivers block at once. Those of
//! crossbeam-channel first yield to other threads several times, and on a busy machine each yield
//! delays the answer by a time slice.

mod engine;
mod search;
mod slices;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::engine::Engine;
use crate::instant::Instant;

use super::commands::HubCommand;
use super::event::HubEvent;
use super::format::LineBuilder;
use super::level::LevelCommand;
use super::params::{HubParams, Tunables};
use super::parse::HubLine;
use super::position::PosText;
use super::reader;
use super::replies;
use super::search_thread::{Go, SearchThread};
use super::searcher::Searcher;
use search::RunningSearch;

pub use slices::SlicedSession;

/// How long a running search may take to deliver its answer after `quit`.
const QUIT_GRACE: Duration = Duration::from_millis(500);

/// The same after the end of the input.
const END_GRACE: Duration = Duration::from_millis(50);

/// The least time between an answer that clients wait for and the line before it. py-draughts
/// 1.10.1 overlooks a line that it reads together with an earlier one, until another one comes.
const GAP: Duration = Duration::from_micros(500);

/// The same after the declarations of the parameters, where time does not matter.
const START_GAP: Duration = Duration::from_millis(2);

/// Speaks Hub until `quit` or the end of the input; either ends the session at once, even during a
/// search.
///
/// The reader thread keeps `input` until the next line or the end of the input.
///
/// # Errors
///
/// The output cannot be written, or the system cannot create a thread. A broken pipe is not an
/// error: the client is gone and the session is over.
pub fn run(
    tuning: Tunables,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    run_with(Engine::go, tuning, None, input, output)
}

/// The same for clients of a server: a search that takes longer than `longest` is stopped and
/// answered.
///
/// # Errors
///
/// As for [`run`].
pub fn run_bounded(
    longest: Duration,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    run_with(Engine::go, Tunables::Hidden, Some(longest), input, output)
}

fn run_with(
    go: Go,
    tuning: Tunables,
    longest: Option<Duration>,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    reader::spawn(input, sender.clone())?;
    let searcher = SearchThread::new(go, sender);
    let mut session = HubSession::new(tuning, output, searcher, thread::sleep);
    session.longest = longest;
    match session.run(&events) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

struct HubSession<W, S> {
    output: W,
    /// How to let time pass between lines that must be kept apart.
    pass: fn(Duration),
    /// When the last line was written.
    written: Instant,
    /// The parameters as the client has set them.
    params: HubParams,
    /// The parameters that the engine currently uses.
    applied: HubParams,
    /// `None` during a search, and until first needed.
    engine: Option<Box<Engine>>,
    searcher: S,
    /// `None` unless a search is running.
    search: Option<RunningSearch>,
    /// The most time that a search may take; `None` for any.
    longest: Option<Duration>,
    /// The limits of the next search.
    level: LevelCommand,
    /// The last position that the client sent.
    sent: PosText,
    /// The last position that was valid.
    accepted: PosText,
    /// Commands that arrived during a search.
    waiting: VecDeque<HubCommand>,
}

impl<W: Write, S: Searcher> HubSession<W, S> {
    fn new(tuning: Tunables, output: W, searcher: S, pass: fn(Duration)) -> Self {
        HubSession {
            output,
            pass,
            written: Instant::now(),
            params: HubParams::new(tuning),
            applied: HubParams::new(tuning),
            engine: None,
            searcher,
            search: None,
            longest: None,
            level: LevelCommand::default(),
            sent: PosText::start(),
            accepted: PosText::start(),
            waiting: VecDeque::new(),
        }
    }

    /// Accepts a command. A ping is answered at once, everything else in order.
    fn receive(&mut self, command: HubCommand) -> io::Result<()> {
        if command == HubCommand::Ping {
            return self.write(&LineBuilder::new("pong"));
        }
        self.waiting.push_back(command);
        self.work_off()
    }

    /// Executes the waiting commands up to and including the next `go`.
    fn work_off(&mut self) -> io::Result<()> {
        while self.search.is_none()
            && let Some(command) = self.waiting.pop_front()
        {
            self.execute(command)?;
        }
        self.pass_on_signals();
        Ok(())
    }

    /// Applies the waiting commands that concern the running search: a ponder-hit before the next
    /// `go`, and a stop anywhere, since it also applies to every search before it.
    fn pass_on_signals(&self) {
        let Some(search) = &self.search else {
            return;
        };
        let mut about_this =
            self.waiting.iter().take_while(|command| !matches!(command, HubCommand::Go(_)));
        if about_this.any(|command| *command == HubCommand::PonderHit) {
            search.control.ponder_hit();
        }
        if self.waiting.contains(&HubCommand::Stop) {
            search.control.stop();
        }
    }

    /// Executes a command while no search is running.
    fn execute(&mut self, command: HubCommand) -> io::Result<()> {
        match command {
            HubCommand::Hub => self.introduce()?,
            HubCommand::Init => {
                self.engine()?;
                self.write_apart(&LineBuilder::new("ready"), GAP)?;
            }
            HubCommand::SetParam { name, value } => match self.params.set(&name, &value) {
                Ok(()) => self.resize_table(),
                Err(fault) => self.write(&replies::error(fault))?,
            },
            HubCommand::Pos(text) => self.set_position(text)?,
            HubCommand::Level(level) => self.level = self.level.and(level),
            HubCommand::Go(mode) => self.go(mode)?,
            HubCommand::NewGame => self.new_game()?,
            // Stop and ponder-hit have no effect without a search; the others never wait.
            HubCommand::Stop | HubCommand::PonderHit | HubCommand::Ping | HubCommand::Quit => {}
        }
        Ok(())
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.write(&replies::id())?;
        for declaration in self.params.declarations() {
            self.write(&declaration)?;
        }
        self.write_apart(&LineBuilder::new("wait"), START_GAP)
    }

    /// Writes an answer that clients wait for, some time after the line before it.
    fn write_apart(&mut self, reply: &LineBuilder, gap: Duration) -> io::Result<()> {
        (self.pass)(until(self.written + gap));
        self.write(reply)
    }

    fn write(&mut self, reply: &LineBuilder) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()?;
        self.written = Instant::now();
        Ok(())
    }
}

/// A session that ends by an error leaves no search behind.
impl<W, S> Drop for HubSession<W, S> {
    fn drop(&mut self) {
        if let Some(search) = &self.search {
            search.control.stop();
        }
    }
}

impl<W: Write> HubSession<W, SearchThread> {
    fn run(mut self, events: &Receiver<HubEvent>) -> io::Result<()> {
        loop {
            let Some(event) = self.next_event(events) else {
                self.release()?;
                self.stop_if_too_long();
                continue;
            };
            match event {
                HubEvent::Line(text) => match HubCommand::parse(&HubLine::parse(&text)) {
                    Some(HubCommand::Quit) => return self.leave(events, QUIT_GRACE),
                    Some(command) => self.receive(command)?,
                    None => log::debug!("ignored: {text}"),
                },
                HubEvent::EndOfInput => return self.leave(events, END_GRACE),
                HubEvent::Info(info) => self.report(info)?,
                HubEvent::Finished(result) => {
                    self.finish(result)?;
                    self.work_off()?;
                }
            }
        }
    }

    /// The next event; `None` if withheld information or the end of the search falls due first. The
    /// channel never closes: the session itself holds a sender.
    fn next_event(&self, events: &Receiver<HubEvent>) -> Option<HubEvent> {
        match self.search.as_ref().and_then(RunningSearch::due) {
            Some(due) => events.recv_timeout(until(due)).ok(),
            None => events.recv().ok(),
        }
    }

    /// Ends the session. A running search is stopped and has `grace` to deliver its answer.
    fn leave(mut self, events: &Receiver<HubEvent>, grace: Duration) -> io::Result<()> {
        let deadline = Instant::now() + grace;
        if let Some(search) = &self.search {
            search.control.stop();
        }
        while self.search.is_some() {
            match events.recv_timeout(until(deadline)) {
                Ok(HubEvent::Info(info)) => self.report(info)?,
                Ok(HubEvent::Finished(result)) => self.finish(result)?,
                Ok(HubEvent::Line(_) | HubEvent::EndOfInput) => {}
                Err(_) => break,
            }
        }
        Ok(())
    }
}

/// The time left until an instant, zero if it has passed.
fn until(then: Instant) -> Duration {
    then.saturating_duration_since(Instant::now())
}
