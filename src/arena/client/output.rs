//! What an engine sends, until it ends: its [`Inbox`] with an eye on its process.

use std::time::{Duration, Instant};

use crate::arena::interrupt::Interrupt;

use super::Fault;
use super::inbox::{Arrival, Inbox, Stop};
use super::process::Process;

/// How long an engine that has closed its output may take to end, and its last words to come.
const LAST_BREATH: Duration = Duration::from_millis(200);

/// How often to look whether a silent engine still runs, and somebody waits for it. One that ends is noticed at once, unless
/// processes that it has started hold its output open.
const GLANCE: Duration = Duration::from_millis(100);

/// The output of an engine.
pub struct Output {
    /// Its process, if it was started here.
    process: Option<Process>,
    inbox: Inbox,
    interrupt: Interrupt,
}

impl Output {
    /// The output of a process, or of somebody elsewhere. Nobody waits for it once `interrupt` is
    /// set.
    pub fn new(process: Option<Process>, inbox: Inbox, interrupt: Interrupt) -> Output {
        Output { process, inbox, interrupt }
    }

    /// The next text; `None` if there is none until the deadline.
    ///
    /// # Errors
    ///
    /// [`Fault::Crash`]: the engine has ended. [`Fault::Flood`]. [`Fault::Interrupted`].
    pub fn receive(&mut self, deadline: Instant) -> Result<Option<Arrival>, Fault> {
        loop {
            let glance = deadline.min(Instant::now() + GLANCE);
            if let Some(arrival) = self.look(glance)? {
                return Ok(Some(arrival));
            }
            if glance == deadline {
                return Ok(None);
            }
            if self.interrupt.is_set() {
                return Err(Fault::Interrupted);
            }
            if let Some(how) = self.process.as_mut().and_then(Process::end) {
                let last = self.look(Instant::now() + LAST_BREATH)?;
                return last.map(Some).ok_or(Fault::Crash(how));
            }
        }
    }

    /// A text that is there already.
    ///
    /// # Errors
    ///
    /// As for [`Output::receive`].
    pub fn pending(&mut self) -> Result<Option<Arrival>, Fault> {
        self.inbox.pending().map_err(|stop| self.fault(stop))
    }

    /// Begins a question: what the engine sends from now on is counted anew.
    ///
    /// # Errors
    ///
    /// [`Fault::Flood`]: it has sent too much without being asked.
    pub fn begin(&mut self) -> Result<(), Fault> {
        self.inbox.begin().map_err(|stop| self.fault(stop))
    }

    /// How the engine has ended, if it has closed its input or its connection.
    pub fn crash(&mut self, closed: &str) -> Fault {
        let end = self.process.as_mut().and_then(|process| process.wait(LAST_BREATH));
        Fault::Crash(end.unwrap_or_else(|| format!("it closed its {closed}")))
    }

    /// Waits until the process ends by itself, but not for long.
    pub fn wait(&mut self, patience: Duration) {
        if let Some(process) = &mut self.process {
            process.wait(patience);
        }
    }

    fn look(&mut self, deadline: Instant) -> Result<Option<Arrival>, Fault> {
        self.inbox.receive(deadline).map_err(|stop| self.fault(stop))
    }

    fn fault(&mut self, stop: Stop) -> Fault {
        match stop {
            Stop::Flood => Fault::Flood,
            Stop::Closed => self.crash("output"),
        }
    }
}
