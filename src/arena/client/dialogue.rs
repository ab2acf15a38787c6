//! A dialogue with a process in lines of text.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::arena::spec::EngineSpec;

use super::inbox::Inbox;
use super::outbox::{Outbox, Unsent};
use super::output::EngineOutput;
use super::process::Process;
use super::{EngineFault, GRACE, MatchContext, Said, SearchReport, TimedAnswer, after};

/// Time an engine has to end after it has been asked to quit.
const FAREWELL: Duration = Duration::from_millis(500);

/// Time a ready engine has to show that it answers pings.
const PONG: Duration = Duration::from_secs(1);

/// An engine that reads and writes lines.
pub struct Dialogue {
    output: EngineOutput,
    outbox: Outbox,
    /// Time the engine has to become ready.
    start_limit: Duration,
    answers_pings: bool,
}

impl Dialogue {
    /// Starts the engine.
    ///
    /// # Errors
    ///
    /// [`EngineFault::Unsuitable`]: the program cannot be started. [`EngineFault::NoStart`]: the
    /// system refuses pipes or threads.
    pub fn open(spec: &EngineSpec, context: &MatchContext) -> Result<Dialogue, EngineFault> {
        let mut process = Process::start(&spec.command, spec.dir.as_deref(), Stdio::piped())?;
        let refused = |what: String| EngineFault::NoStart(format!("no way to talk to it: {what}"));
        let (Some(input), Some(output)) = (process.take_input(), process.take_output()) else {
            return Err(refused("no pipes".to_owned()));
        };
        let inbox = Inbox::open(output, b'\n').map_err(|error| refused(error.to_string()))?;
        let outbox = Outbox::open(input).map_err(|error| refused(error.to_string()))?;
        let output = EngineOutput::new(Some(process), inbox, context.interrupt.clone());
        Ok(Dialogue { output, outbox, start_limit: spec.start_limit, answers_pings: false })
    }

    /// Sends lines in one write. Returns the time of sending.
    ///
    /// # Errors
    ///
    /// The engine has ended, or does not read its input.
    pub fn tell(&mut self, lines: String) -> Result<Instant, EngineFault> {
        let now = Instant::now();
        match self.outbox.send(lines) {
            Ok(()) => Ok(now),
            Err(Unsent::NotRead) => Err(EngineFault::Hang),
            Err(Unsent::Closed) => Err(self.output.crash("input")),
        }
    }

    /// Begins a question: discards lines that came unasked.
    ///
    /// # Errors
    ///
    /// As for [`EngineOutput::receive`].
    fn begin(&mut self) -> Result<(), EngineFault> {
        self.output.begin()?;
        while self.output.pending()?.is_some() {}
        Ok(())
    }

    /// Reads lines until `take` accepts one.
    ///
    /// # Errors
    ///
    /// [`EngineFault::NoStart`] if none is accepted before the deadline, or the engine ends first;
    /// it tells what was `missing` and the last line of the engine.
    pub fn await_start<T>(
        &mut self,
        missing: &str,
        deadline: Instant,
        mut take: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, EngineFault> {
        let mut last = None;
        loop {
            let fault = match self.output.receive(deadline) {
                Ok(Some(arrival)) => {
                    let line = arrival.line();
                    match take(&line) {
                        Some(taken) => return Ok(taken),
                        None => last = Some(line.chars().take(80).collect::<String>()),
                    }
                    continue;
                }
                Ok(None) => format!("no {missing:?} in time"),
                Err(EngineFault::Crash(how)) => format!("no {missing:?}, but {how}"),
                Err(fault) => return Err(fault),
            };
            let said = last.map_or("nothing".to_owned(), |line| format!("{line:?} at last"));
            return Err(EngineFault::NoStart(format!("{fault}; it said {said}")));
        }
    }

    /// Finds out whether the engine, which is ready, answers pings.
    ///
    /// # Errors
    ///
    /// As for [`EngineOutput::receive`].
    pub fn try_ping(&mut self) -> Result<(), EngineFault> {
        self.tell("ping\n".to_owned())?;
        self.answers_pings = self.await_pong(PONG)?;
        Ok(())
    }

    /// Sends lines and waits until the engine has processed them, provided that it answers pings.
    ///
    /// # Errors
    ///
    /// As for [`EngineOutput::receive`]; [`EngineFault::Hang`]: it has not done so within its start
    /// limit.
    pub fn carry_out(&mut self, lines: &str) -> Result<(), EngineFault> {
        self.begin()?;
        if !self.answers_pings {
            return self.tell(lines.to_owned()).map(|_| ());
        }
        self.tell(format!("{lines}ping\n"))?;
        if self.await_pong(self.start_limit)? { Ok(()) } else { Err(EngineFault::Hang) }
    }

    fn await_pong(&mut self, patience: Duration) -> Result<bool, EngineFault> {
        let deadline = after(Instant::now(), patience);
        while let Some(arrival) = self.output.receive(deadline)? {
            if arrival.line() == "pong" {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Asks a question and reads lines until `take` returns an answer. An engine that has not
    /// answered within its `patience` is told to stop.
    ///
    /// # Errors
    ///
    /// As for [`EngineOutput::receive`]; [`EngineFault::Hang`]: it has not answered after that
    /// either.
    pub fn ask(
        &mut self,
        question: String,
        patience: Duration,
        mut take: impl FnMut(&str) -> Option<(Said, SearchReport)>,
    ) -> Result<TimedAnswer, EngineFault> {
        self.begin()?;
        let asked = self.tell(question)?;
        let mut deadline = after(asked, patience);
        let mut is_stopped = false;
        loop {
            match self.output.receive(deadline)? {
                Some(arrival) => {
                    if let Some((said, report)) = take(&arrival.line()) {
                        let time = arrival.at.saturating_duration_since(asked);
                        return Ok(TimedAnswer { said, time, report });
                    }
                }
                None if is_stopped => return Err(EngineFault::Hang),
                None => {
                    deadline = self.tell("stop\n".to_owned())? + GRACE;
                    is_stopped = true;
                }
            }
        }
    }

    /// Asks the engine to quit, then kills it if it has not.
    pub fn leave(mut self) {
        if self.tell("quit\n".to_owned()).is_ok() {
            self.output.wait(FAREWELL);
        }
    }
}
