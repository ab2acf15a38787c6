//! A session: reads and writes lines, and runs one search at a time. [`SlicedSession`] does the
//! same without threads.
//!
//! Three threads share one channel: the reader sends lines, the search thread sends info and
//! results, and the session receives both in order. Only the session writes output. A running
//! search owns the engine, and commands that do not concern the search wait until it ends.
//!
//! The channel comes from the standard library because its receivers block immediately. Those of
//! crossbeam-channel first yield to other threads several times, and on a busy machine each yield
//! delays the reply by a scheduler time slice.

mod search;
mod sliced;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::engine::{Engine, EngineOptions};
use crate::instant::Instant;
use crate::search::OverheadEstimate;

use super::commands::{HubCommand, LevelLimits, PosCommand, read_game};
use super::line::{HubLine, LineBuilder};
use super::params::{HubParams, ParamBounds, Tunables};
use super::replies;
use super::threads::{HubEvent, SearchFn, SearchThread, Searcher, read_lines};
use search::RunningSearch;

pub use sliced::SlicedSession;

/// The time that a running search has to deliver its answer after `quit`.
const QUIT_GRACE: Duration = Duration::from_millis(500);

/// The time that a running search has to deliver its answer after the end of the input.
const END_GRACE: Duration = Duration::from_millis(50);

/// The maximum total length of the lines of pending commands, in bytes.
const MAX_PENDING_BYTES: usize = 4 << 20;

/// The minimum time between an answer that clients wait for and the preceding line. If py-draughts
/// 1.10.1 reads two lines together, it misses the second one until another line arrives.
const GAP: Duration = Duration::from_micros(500);

/// The minimum time between the parameter declarations and the `wait` that follows; speed does not
/// matter there.
const START_GAP: Duration = Duration::from_millis(2);

/// Speaks Hub until `quit` or the end of the input; either ends the session at once, even during a
/// search.
///
/// The reader thread keeps `input` until the next line or the end of the input, even after this
/// function has returned.
///
/// # Errors
///
/// The output cannot be written, or the system cannot create a thread. A broken pipe is not an
/// error: it means that the client has exited, which ends the session.
pub fn run(
    tunables: Tunables,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    run_with(Engine::go, HubParams::new(tunables), None, input, output)
}

/// Like [`run`], but for clients connected through the web server: parameters are limited to
/// `bounds`, and a search that exceeds `max_search_time` is stopped and its best move sent.
///
/// # Errors
///
/// As for [`run`].
pub fn run_bounded(
    bounds: ParamBounds,
    max_search_time: Duration,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    run_with(Engine::go, HubParams::bounded(bounds), Some(max_search_time), input, output)
}

fn run_with(
    search: SearchFn,
    params: HubParams,
    max_search_time: Option<Duration>,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    let handled = read_lines(input, sender.clone())?;
    let searcher = SearchThread::new(search, sender);
    let mut session = HubSession::new(params, output, searcher, thread::sleep);
    session.max_search_time = max_search_time;
    match session.run(&events, &handled) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

struct HubSession<W, S> {
    output: W,
    /// Sleeps between lines that must be kept apart.
    sleep: fn(Duration),
    /// The time at which the last line was written.
    written: Instant,
    /// The parameters as set by the client.
    params: HubParams,
    /// The options that the engine currently uses.
    applied: EngineOptions,
    /// `None` during a search, and before the engine is first needed.
    engine: Option<Box<Engine>>,
    searcher: S,
    /// `None` unless a search is running.
    search: Option<RunningSearch>,
    /// `None` for no limit.
    max_search_time: Option<Duration>,
    /// The limits of the next search.
    level: LevelLimits,
    /// The overhead of the moves of the game.
    overhead: OverheadEstimate,
    /// The last position that the client sent.
    sent: PosCommand,
    /// The last position that was valid.
    accepted: PosCommand,
    /// Commands that arrived during a search.
    pending: VecDeque<HubCommand>,
    /// The total length of their lines, in bytes.
    pending_bytes: usize,
}

impl<W: Write, S: Searcher> HubSession<W, S> {
    fn new(params: HubParams, output: W, searcher: S, sleep: fn(Duration)) -> Self {
        HubSession {
            output,
            sleep,
            written: Instant::now(),
            params,
            applied: EngineOptions::default(),
            engine: None,
            searcher,
            search: None,
            max_search_time: None,
            level: LevelLimits::default(),
            overhead: OverheadEstimate::default(),
            sent: PosCommand::start(),
            accepted: PosCommand::start(),
            pending: VecDeque::new(),
            pending_bytes: 0,
        }
    }

    /// Handles a line. A ping is answered at once, everything else in order. Returns `false` for
    /// `quit`; ending the session is up to the caller.
    fn receive(&mut self, line: &str) -> io::Result<bool> {
        match HubCommand::parse(&HubLine::parse(line)) {
            Some(HubCommand::Quit) => return Ok(false),
            Some(HubCommand::Ping) => self.write(&LineBuilder::new("pong"))?,
            // A stop must get through even if the queue is full.
            Some(command) if command != HubCommand::Stop && self.is_pending_full(line) => {
                let message = "too many commands during a search; the last one is ignored";
                self.write(&replies::error(message))?;
            }
            Some(command) => {
                self.pending_bytes += line.len();
                self.pending.push_back(command);
                self.run_pending()?;
            }
            None => log::debug!("ignored: {line}"),
        }
        Ok(true)
    }

    /// Whether a line would make the pending commands take too much memory.
    fn is_pending_full(&self, line: &str) -> bool {
        self.pending_bytes + line.len() > MAX_PENDING_BYTES
    }

    /// Executes the pending commands up to and including the next `go`.
    fn run_pending(&mut self) -> io::Result<()> {
        while self.search.is_none()
            && let Some(command) = self.pending.pop_front()
        {
            self.execute(command)?;
        }
        if self.pending.is_empty() {
            self.pending_bytes = 0;
        }
        self.signal_search();
        Ok(())
    }

    /// Signals the running search if a pending command concerns it: a ponder-hit before the next
    /// `go`, or a stop anywhere in the queue, since a stop also applies to all searches before it.
    fn signal_search(&self) {
        let Some(search) = &self.search else {
            return;
        };
        let mut before_go =
            self.pending.iter().take_while(|command| !matches!(command, HubCommand::Go(_)));
        if before_go.any(|command| *command == HubCommand::PonderHit) {
            search.control.ponder_hit();
        }
        if self.pending.contains(&HubCommand::Stop) {
            search.control.stop();
        }
    }

    /// Executes a command while no search is running.
    fn execute(&mut self, command: HubCommand) -> io::Result<()> {
        match command {
            HubCommand::Hub => self.declare()?,
            HubCommand::Init => {
                self.engine()?;
                self.write_after_gap(&LineBuilder::new("ready"), GAP)?;
            }
            HubCommand::SetParam { name, value } => match self.params.set(&name, &value) {
                Ok(()) => self.resize_table(),
                Err(fault) => self.write(&replies::error(fault))?,
            },
            HubCommand::Pos(pos) => self.set_position(pos)?,
            HubCommand::Level(line) => self.level.add(&line),
            HubCommand::Go(mode) => self.go(mode)?,
            HubCommand::NewGame => self.new_game()?,
            // Stop and ponder-hit have no effect without a search; the others are never pending.
            HubCommand::Stop | HubCommand::PonderHit | HubCommand::Ping | HubCommand::Quit => {}
        }
        Ok(())
    }

    /// Answers `hub`.
    fn declare(&mut self) -> io::Result<()> {
        self.write(&replies::id())?;
        for declaration in self.params.declarations() {
            self.write(&declaration)?;
        }
        self.write_after_gap(&LineBuilder::new("wait"), START_GAP)
    }

    /// The engine, with all parameters applied. Most changes are deferred until here, so that
    /// setting many parameters costs no more than setting one.
    fn engine(&mut self) -> io::Result<&mut Engine> {
        let options = self.params.options();
        // An engine of another variant is dropped first, since there may not be enough memory for
        // two.
        let variant = self.params.variant();
        let mut engine = match self.engine.take().filter(|engine| engine.variant() == variant) {
            Some(mut engine) => {
                if self.applied != options {
                    engine.set_options(options.clone());
                }
                engine
            }
            None => self.new_engine(options.clone()),
        };
        self.applied = options;
        for fault in engine.take_warnings() {
            self.write(&replies::error(fault))?;
        }
        Ok(self.engine.insert(engine))
    }

    /// A new engine for the variant. The client may have sent the position before it set the
    /// variant, so the position is parsed again; if it is invalid in this variant, the engine keeps
    /// the start position.
    fn new_engine(&mut self, options: EngineOptions) -> Box<Engine> {
        let variant = self.params.variant();
        let mut engine = Box::new(Engine::new(variant, options));
        let candidates = [self.sent.clone(), self.accepted.clone()].into_iter();
        let mut valid = candidates.filter_map(|pos| Some((read_game(variant, &pos).ok()?, pos)));
        self.accepted = match valid.next() {
            Some((game, pos)) => {
                engine.set_game(game);
                pos
            }
            None => PosCommand::start(),
        };
        engine
    }

    /// Resizes the transposition table at once if there is an engine, so that the client need not
    /// wait for the memory later.
    fn resize_table(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.set_tt_size(self.params.options().tt_size);
        }
    }

    /// Sets the position. If it is invalid, the engine keeps the old one.
    fn set_position(&mut self, pos: PosCommand) -> io::Result<()> {
        self.sent = pos.clone();
        let engine = self.engine()?;
        match read_game(engine.variant(), &pos) {
            Ok(game) => {
                engine.set_game(game);
                self.accepted = pos;
                Ok(())
            }
            Err(message) => self.write(&replies::error(message)),
        }
    }

    /// Makes the next search independent of earlier ones, but keeps the position.
    fn new_game(&mut self) -> io::Result<()> {
        let engine = self.engine()?;
        let game = engine.game().clone();
        engine.new_game();
        engine.set_game(game);
        self.overhead.new_game();
        Ok(())
    }

    /// Writes an answer that clients wait for, at least `gap` after the preceding line.
    fn write_after_gap(&mut self, reply: &LineBuilder, gap: Duration) -> io::Result<()> {
        (self.sleep)(until(self.written + gap));
        self.write(reply)
    }

    fn write(&mut self, reply: &LineBuilder) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()?;
        self.written = Instant::now();
        Ok(())
    }
}

impl<W, S> HubSession<W, S> {
    fn stop_search(&self) {
        if let Some(search) = &self.search {
            search.control.stop();
        }
    }
}

/// Even a session that ends with an error must not leave a search running.
impl<W, S> Drop for HubSession<W, S> {
    fn drop(&mut self) {
        self.stop_search();
    }
}

impl<W: Write> HubSession<W, SearchThread> {
    /// Runs until the session ends. Receives one `()` from `handled` after each line.
    fn run(mut self, events: &Receiver<HubEvent>, handled: &Receiver<()>) -> io::Result<()> {
        loop {
            let Some(event) = self.next_event(events) else {
                self.send_due_info()?;
                self.stop_overdue_search();
                continue;
            };
            match event {
                HubEvent::Line(line) => {
                    if !self.receive(&line)? {
                        return self.quit(events, QUIT_GRACE);
                    }
                    // This cannot fail: the reader has sent one `()` for this line.
                    let _ = handled.try_recv();
                }
                HubEvent::EndOfInput => return self.quit(events, END_GRACE),
                HubEvent::Info(info) => self.report(info)?,
                HubEvent::Finished(result) => {
                    self.finish(result)?;
                    self.run_pending()?;
                }
            }
        }
    }

    /// The next event; `None` if withheld info or the deadline of the search is due first. The
    /// channel never closes, since the session itself holds a sender.
    fn next_event(&self, events: &Receiver<HubEvent>) -> Option<HubEvent> {
        match self.search.as_ref().and_then(RunningSearch::due) {
            Some(due) => events.recv_timeout(until(due)).ok(),
            None => events.recv().ok(),
        }
    }

    /// Ends the session. A running search is stopped and has `grace` to deliver its answer.
    fn quit(mut self, events: &Receiver<HubEvent>, grace: Duration) -> io::Result<()> {
        let deadline = Instant::now() + grace;
        self.stop_search();
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

/// The time left until an instant; zero if it has passed.
fn until(then: Instant) -> Duration {
    then.saturating_duration_since(Instant::now())
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};
    use std::sync::mpsc::Sender;

    use super::*;

    /// Output that signals when a search has been answered.
    struct SignalOnDone<'a> {
        output: &'a mut Vec<u8>,
        answered: Sender<()>,
    }

    impl Write for SignalOnDone<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.output.extend_from_slice(bytes);
            if bytes.starts_with(b"done") {
                let _ = self.answered.send(());
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Input that arrives once a search has been answered.
    struct InputAfterDone {
        answered: Receiver<()>,
        input: &'static [u8],
    }

    impl Read for InputAfterDone {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let _ = self.answered.recv();
            self.input.read(buffer)
        }
    }

    #[test]
    fn a_panic_in_the_search_is_answered_with_a_legal_move() {
        let (sender, answered) = mpsc::channel();
        let first = "set-param name=tt-size value=16\npos start moves=\"32-28 19-23\"\ngo think\n";
        let later = InputAfterDone { answered, input: b"go analyze\nquit\n" };
        let mut output = Vec::new();
        let search: SearchFn = |_, _, _, _| panic!("table = broken");
        let input = BufReader::new(first.as_bytes().chain(later));
        let signal = SignalOnDone { output: &mut output, answered: sender };
        run_with(search, HubParams::default(), None, input, signal).unwrap();
        let failed = "error message=\"search failed: table : broken\"\ndone move=28x19x23\n";
        // The second search may not have started when `quit` arrives.
        let output = String::from_utf8(output).unwrap();
        assert!(output.starts_with(failed), "{output}");
        assert_eq!(output.replace(failed, ""), "");
    }
}
