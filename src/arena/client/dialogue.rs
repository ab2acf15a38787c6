//! A conversation with a process in lines of text.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::arena::spec::EngineSpec;

use super::inbox::Inbox;
use super::outbox::{Outbox, Unsent};
use super::output::Output;
use super::process::Process;
use super::{Answer, Fault, GRACE, Occasion, Report, Said, after};

/// How long an engine that is asked to leave may take.
const FAREWELL: Duration = Duration::from_millis(500);

/// How long a ready engine may take to show that it answers pings.
const PONG: Duration = Duration::from_secs(1);

/// An engine that reads and writes lines.
pub struct Dialogue {
    output: Output,
    outbox: Outbox,
    /// How long it may take until it is ready.
    start_limit: Duration,
    answers_pings: bool,
}

impl Dialogue {
    /// Starts the engine.
    ///
    /// # Errors
    ///
    /// [`Fault::Unsuitable`]: it cannot be started. [`Fault::NoStart`]: the system lacks something.
    pub fn open(spec: &EngineSpec, occasion: &Occasion) -> Result<Dialogue, Fault> {
        let mut process = Process::start(&spec.command, spec.dir.as_deref(), Stdio::piped())?;
        let refused = |what: String| Fault::NoStart(format!("no way to talk to it: {what}"));
        let (Some(input), Some(output)) = (process.take_input(), process.take_output()) else {
            return Err(refused("no pipes".to_owned()));
        };
        let inbox = Inbox::open(output, b'\n').map_err(|error| refused(error.to_string()))?;
        let outbox = Outbox::open(input).map_err(|error| refused(error.to_string()))?;
        let output = Output::new(Some(process), inbox, occasion.interrupt.clone());
        Ok(Dialogue { output, outbox, start_limit: spec.start_limit, answers_pings: false })
    }

    /// Sends lines, in one write; when they were sent.
    ///
    /// # Errors
    ///
    /// The engine has ended, or does not read.
    pub fn tell(&mut self, lines: String) -> Result<Instant, Fault> {
        let now = Instant::now();
        match self.outbox.send(lines) {
            Ok(()) => Ok(now),
            Err(Unsent::NotRead) => Err(Fault::Hang),
            Err(Unsent::Closed) => Err(self.output.crash("input")),
        }
    }

    /// Begins a question: lines that came without being asked for are forgotten.
    ///
    /// # Errors
    ///
    /// As for [`Output::receive`].
    fn begin(&mut self) -> Result<(), Fault> {
        self.output.begin()?;
        while self.output.pending()?.is_some() {}
        Ok(())
    }

    /// Reads lines until `take` makes something of one.
    ///
    /// # Errors
    ///
    /// [`Fault::NoStart`] if that does not happen until the deadline, or the engine ends first: what
    /// was `missing`, and the last that the engine has said.
    pub fn await_start<T>(
        &mut self,
        missing: &str,
        deadline: Instant,
        mut take: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
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
                Err(Fault::Crash(how)) => format!("no {missing:?}, but {how}"),
                Err(fault) => return Err(fault),
            };
            let said = last.map_or("nothing".to_owned(), |line| format!("{line:?} at last"));
            return Err(Fault::NoStart(format!("{fault}; it said {said}")));
        }
    }

    /// Finds out whether the engine, which is ready, answers pings.
    ///
    /// # Errors
    ///
    /// As for [`Output::receive`].
    pub fn try_ping(&mut self) -> Result<(), Fault> {
        self.tell("ping\n".to_owned())?;
        self.answers_pings = self.await_pong(PONG)?;
        Ok(())
    }

    /// Sends lines, and waits until the engine has carried them out. One that does not answer pings
    /// is not waited for.
    ///
    /// # Errors
    ///
    /// As for [`Output::receive`]; [`Fault::Hang`]: it has not done so in the time it has to start.
    pub fn carry_out(&mut self, lines: &str) -> Result<(), Fault> {
        self.begin()?;
        if !self.answers_pings {
            return self.tell(lines.to_owned()).map(|_| ());
        }
        self.tell(format!("{lines}ping\n"))?;
        if self.await_pong(self.start_limit)? { Ok(()) } else { Err(Fault::Hang) }
    }

    fn await_pong(&mut self, patience: Duration) -> Result<bool, Fault> {
        let deadline = after(Instant::now(), patience);
        while let Some(arrival) = self.output.receive(deadline)? {
            if arrival.line() == "pong" {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Asks a question and reads lines until `take` makes an answer of one. An engine that is still
    /// silent after its `patience` is told to stop.
    ///
    /// # Errors
    ///
    /// As for [`Output::receive`]; [`Fault::Hang`]: it did not answer either way.
    pub fn ask(
        &mut self,
        question: String,
        patience: Duration,
        mut take: impl FnMut(&str) -> Option<(Said, Report)>,
    ) -> Result<Answer, Fault> {
        self.begin()?;
        let asked = self.tell(question)?;
        let mut deadline = after(asked, patience);
        let mut is_stopped = false;
        loop {
            match self.output.receive(deadline)? {
                Some(arrival) => {
                    if let Some((said, report)) = take(&arrival.line()) {
                        let time = arrival.at.saturating_duration_since(asked);
                        return Ok(Answer { said, time, report });
                    }
                }
                None if is_stopped => return Err(Fault::Hang),
                None => {
                    deadline = self.tell("stop\n".to_owned())? + GRACE;
                    is_stopped = true;
                }
            }
        }
    }

    /// Asks the engine to leave; then it is made to.
    pub fn leave(mut self) {
        if self.tell("quit\n".to_owned()).is_ok() {
            self.output.wait(FAREWELL);
        }
    }
}
