//! An engine process that reads and writes lines of text.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::arena::spec::EngineSpec;

use super::channels::{SendError, TextReceiver, TextSender};
use super::process::{EngineOutput, Process};
use super::{EngineFault, EngineReply, MatchContext, STOP_GRACE, SearchReport, TimedReply, after};

/// Time for an engine to exit after it has been asked to quit.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// Time for a ready engine to answer the first ping.
const PONG_TIMEOUT: Duration = Duration::from_secs(1);

/// An engine that reads and writes lines.
pub struct TextEngine {
    output: EngineOutput,
    input: TextSender,
    /// Maximum time for the engine to become ready.
    start_limit: Duration,
    answers_pings: bool,
}

impl TextEngine {
    /// Starts the engine. Fails with [`EngineFault::Unsuitable`] if the program cannot be started,
    /// and with [`EngineFault::NoStart`] if pipes or threads cannot be created.
    pub fn start(spec: &EngineSpec, context: &MatchContext) -> Result<TextEngine, EngineFault> {
        let mut process = Process::start(
            &spec.command,
            spec.dir.as_deref(),
            Stdio::piped(),
            context.cores.as_ref(),
        )?;
        let refused = |what: String| EngineFault::NoStart(format!("cannot communicate: {what}"));
        let (Some(input), Some(output)) = (process.take_input(), process.take_output()) else {
            return Err(refused("no pipes".to_owned()));
        };
        let receiver =
            TextReceiver::open(output, b'\n').map_err(|error| refused(error.to_string()))?;
        let input = TextSender::open(input).map_err(|error| refused(error.to_string()))?;
        let output = EngineOutput::new(Some(process), receiver, context);
        Ok(TextEngine { output, input, start_limit: spec.start_limit, answers_pings: false })
    }

    /// Sends lines in one write. Returns the time of sending. Fails if the engine has ended or does
    /// not read its input.
    pub fn send(&mut self, lines: String) -> Result<Instant, EngineFault> {
        let now = Instant::now();
        self.output.note_sent(&lines, now);
        match self.input.send(lines) {
            Ok(()) => Ok(now),
            Err(SendError::NotRead) => Err(EngineFault::Hang),
            Err(SendError::Closed) => Err(self.output.crash("input")),
        }
    }

    /// Starts a request, discarding the lines received so far.
    fn start_request(&mut self) -> Result<(), EngineFault> {
        self.output.start_request()?;
        while self.output.pending()?.is_some() {}
        Ok(())
    }

    /// Reads lines until `accept` accepts one. Fails with [`EngineFault::NoStart`] if none is
    /// accepted before the deadline, or the engine ends first; the message contains the `expected`
    /// word and the last line of the engine.
    pub fn await_startup<T>(
        &mut self,
        expected: &str,
        deadline: Instant,
        mut accept: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, EngineFault> {
        let mut last = None;
        loop {
            let fault = match self.output.receive(deadline) {
                Ok(Some(text)) => {
                    let line = text.line();
                    match accept(&line) {
                        Some(taken) => return Ok(taken),
                        None => last = Some(line.chars().take(80).collect::<String>()),
                    }
                    continue;
                }
                Ok(None) => format!("no {expected:?} in time"),
                Err(EngineFault::Crash(how)) => format!("no {expected:?}, but {how}"),
                Err(fault) => return Err(fault),
            };
            let reply = last.map_or("nothing".to_owned(), |line| format!("{line:?}"));
            return Err(EngineFault::NoStart(format!("{fault}; it said {reply}")));
        }
    }

    /// Waits until the engine, whose parameters have been sent, is ready. Fails like
    /// [`await_startup`](Self::await_startup), and with [`EngineFault::Unsuitable`] if the engine
    /// reports an error although parameters were set: without the values that were asked for, such
    /// as the weights of a file, another engine would play. `error_in` is the error that a line
    /// reports.
    pub fn await_ready(
        &mut self,
        spec: &EngineSpec,
        deadline: Instant,
        error_in: impl Fn(&str) -> Option<String>,
    ) -> Result<(), EngineFault> {
        let mut error = None;
        self.await_startup("ready", deadline, |line| {
            error = error.take().or_else(|| error_in(line));
            (line == "ready").then_some(())
        })?;
        if spec.params.is_empty() { Ok(()) } else { accepted(error) }
    }

    /// Changes parameters of the engine, which must be ready, by sending lines. Fails like
    /// [`send_and_sync`](Self::send_and_sync), and with [`EngineFault::Unsuitable`] if the engine
    /// answers pings and reports an error before the pong. `error_in` is the error that a line
    /// reports.
    pub fn change_params(
        &mut self,
        lines: &str,
        error_in: impl Fn(&str) -> Option<String>,
    ) -> Result<(), EngineFault> {
        let mut error = None;
        self.send_and_sync(lines, |line| error = error.take().or_else(|| error_in(line)))?;
        accepted(error)
    }

    /// Tests whether the engine, which must be ready, answers pings.
    pub fn try_ping(&mut self) -> Result<(), EngineFault> {
        self.send("ping\n".to_owned())?;
        self.answers_pings = self.await_pong(PONG_TIMEOUT, |_| ())?;
        Ok(())
    }

    /// Sends lines and, if the engine answers pings, waits until the engine has processed the
    /// lines; `visit` gets each line that the engine writes before that. Fails with
    /// [`EngineFault::Hang`] if this takes longer than the engine's start limit.
    pub fn send_and_sync(
        &mut self,
        lines: &str,
        visit: impl FnMut(&str),
    ) -> Result<(), EngineFault> {
        self.start_request()?;
        if !self.answers_pings {
            return self.send(lines.to_owned()).map(|_| ());
        }
        self.send(format!("{lines}ping\n"))?;
        if self.await_pong(self.start_limit, visit)? { Ok(()) } else { Err(EngineFault::Hang) }
    }

    fn await_pong(
        &mut self,
        patience: Duration,
        mut visit: impl FnMut(&str),
    ) -> Result<bool, EngineFault> {
        let deadline = after(Instant::now(), patience);
        while let Some(text) = self.output.receive(deadline)? {
            match &*text.line() {
                "pong" => return Ok(true),
                line => visit(line),
            }
        }
        Ok(false)
    }

    /// Sends a request and reads lines until `accept`, which receives each line and the time since
    /// the request, returns a reply. An engine that has not replied within `patience` is told to
    /// stop. If it has still not replied after [`STOP_GRACE`], the request fails with
    /// [`EngineFault::Hang`].
    pub fn request(
        &mut self,
        request: String,
        patience: Duration,
        mut accept: impl FnMut(&str, Duration) -> Option<(EngineReply, SearchReport)>,
    ) -> Result<TimedReply, EngineFault> {
        self.start_request()?;
        let start = self.send(request)?;
        let mut deadline = after(start, patience);
        let mut is_stopped = false;
        loop {
            match self.output.receive(deadline)? {
                Some(text) => {
                    let time = text.at.saturating_duration_since(start);
                    if let Some((reply, report)) = accept(&text.line(), time) {
                        return Ok(TimedReply { reply, time, report });
                    }
                }
                None if is_stopped => return Err(EngineFault::Hang),
                None => {
                    deadline = self.send("stop\n".to_owned())? + STOP_GRACE;
                    is_stopped = true;
                }
            }
        }
    }

    /// The peak memory of the engine; see [`Client::peak_memory`](super::Client::peak_memory).
    pub fn peak_memory(&self) -> Option<u64> {
        self.output.peak_memory()
    }

    /// Asks the engine to quit, and kills it if it does not exit in time.
    pub fn quit(mut self) {
        if self.send("quit\n".to_owned()).is_ok() {
            self.output.wait(QUIT_TIMEOUT);
        }
    }
}

/// Fails with [`EngineFault::Unsuitable`] if the engine has reported an error after parameters were
/// set.
fn accepted(error: Option<String>) -> Result<(), EngineFault> {
    error.map_or(Ok(()), |error| {
        let what = format!("it does not accept its parameters: {error}");
        Err(EngineFault::Unsuitable(what))
    })
}
