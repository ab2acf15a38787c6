//! The output of an engine until it ends: its [`TextReceiver`], with a watch on its process.

use std::time::{Duration, Instant};

use crate::runtime::interrupt::Interrupt;

use super::EngineFault;
use super::inbox::{ReceivedText, Stop, TextReceiver};
use super::process::Process;

/// Time an engine that has closed its output has to end, and its last output to arrive.
const LAST_BREATH: Duration = Duration::from_millis(200);

/// The interval for checking that a silent engine is running and the match goes on. An engine that
/// ends is noticed at once, unless its child processes keep its output open.
const GLANCE: Duration = Duration::from_millis(100);

/// The output of an engine.
pub struct EngineOutput {
    /// The process, if the arena has started it.
    process: Option<Process>,
    inbox: TextReceiver,
    interrupt: Interrupt,
}

impl EngineOutput {
    /// The output of a process, or of an engine that runs elsewhere. Waits end when `interrupt` is
    /// set.
    pub fn new(
        process: Option<Process>,
        inbox: TextReceiver,
        interrupt: Interrupt,
    ) -> EngineOutput {
        EngineOutput { process, inbox, interrupt }
    }

    /// The next text; `None` if none arrives before the deadline.
    ///
    /// # Errors
    ///
    /// [`EngineFault::Crash`]: the engine has ended. [`EngineFault::Flood`].
    /// [`EngineFault::Interrupted`].
    pub fn receive(&mut self, deadline: Instant) -> Result<Option<ReceivedText>, EngineFault> {
        loop {
            let glance = deadline.min(Instant::now() + GLANCE);
            if let Some(arrival) = self.look(glance)? {
                return Ok(Some(arrival));
            }
            if glance == deadline {
                return Ok(None);
            }
            if self.interrupt.is_set() {
                return Err(EngineFault::Interrupted);
            }
            if let Some(how) = self.process.as_mut().and_then(Process::end) {
                let last = self.look(Instant::now() + LAST_BREATH)?;
                return last.map(Some).ok_or(EngineFault::Crash(how));
            }
        }
    }

    /// The next text, if it has already arrived.
    ///
    /// # Errors
    ///
    /// As for [`EngineOutput::receive`].
    pub fn pending(&mut self) -> Result<Option<ReceivedText>, EngineFault> {
        self.inbox.pending().map_err(|stop| self.fault(stop))
    }

    /// Begins a question: refills the engine's budget of output.
    ///
    /// # Errors
    ///
    /// [`EngineFault::Flood`]: it has sent too much without being asked.
    pub fn start_request(&mut self) -> Result<(), EngineFault> {
        self.inbox.start_request().map_err(|stop| self.fault(stop))
    }

    /// The fault of an engine that has closed its input, output or connection.
    pub fn crash(&mut self, closed: &str) -> EngineFault {
        let end = self.process.as_mut().and_then(|process| process.wait(LAST_BREATH));
        EngineFault::Crash(end.unwrap_or_else(|| format!("it closed its {closed}")))
    }

    /// Waits for the process to end by itself, up to a limit.
    pub fn wait(&mut self, patience: Duration) {
        if let Some(process) = &mut self.process {
            process.wait(patience);
        }
    }

    fn look(&mut self, deadline: Instant) -> Result<Option<ReceivedText>, EngineFault> {
        self.inbox.receive(deadline).map_err(|stop| self.fault(stop))
    }

    fn fault(&mut self, stop: Stop) -> EngineFault {
        match stop {
            Stop::Flood => EngineFault::Flood,
            Stop::Closed => self.crash("output"),
        }
    }
}
