//! The place of an engine at one table: it is started when it is needed, and again after a fault.

use super::client::{self, Client, Fault, Occasion};
use super::spec::EngineSpec;
use super::time_control::TimeControl;

/// An engine that may or may not be running.
pub struct Seat {
    spec: EngineSpec,
    time_control: TimeControl,
    occasion: Occasion,
    client: Option<Box<dyn Client>>,
    /// Starts that failed since the last one that did not.
    failed_starts: u32,
}

/// After so many failed starts in a row an engine is not tried again.
const MOST_FAILED_STARTS: u32 = 5;

impl Seat {
    /// A seat with nobody in it yet.
    pub fn new(spec: EngineSpec, time_control: TimeControl, occasion: Occasion) -> Seat {
        Seat { spec, time_control, occasion, client: None, failed_starts: 0 }
    }

    /// The limits of the engine.
    pub fn time_control(&self) -> TimeControl {
        self.time_control
    }

    /// Whether the engine is there.
    pub fn is_running(&self) -> bool {
        self.client.is_some()
    }

    /// Who the engine says it is, once it has been started.
    pub fn identity(&self) -> Option<&str> {
        self.client.as_deref().map(Client::identity)
    }

    /// Lets the engine do something; starts it first if it is not running. An engine that fails is
    /// killed.
    ///
    /// # Errors
    ///
    /// The engine has failed. After many failed starts in a row it is [`Fault::Unsuitable`].
    pub fn with<T>(
        &mut self,
        action: impl FnOnce(&mut dyn Client) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let client = match &mut self.client {
            Some(client) => client,
            empty => empty.insert(start(&self.spec, &self.occasion, &mut self.failed_starts)?),
        };
        let result = action(client.as_mut());
        if result.is_err() {
            self.client = None;
        }
        result
    }

    /// Asks the engine to leave.
    pub fn leave(&mut self) {
        if let Some(client) = self.client.take() {
            client.quit();
        }
    }
}

fn start(
    spec: &EngineSpec,
    occasion: &Occasion,
    failed_starts: &mut u32,
) -> Result<Box<dyn Client>, Fault> {
    let result = client::start(spec, occasion);
    *failed_starts = if result.is_ok() { 0 } else { *failed_starts + 1 };
    match result {
        Err(fault @ (Fault::Interrupted | Fault::Unsuitable(_))) => Err(fault),
        Err(fault) if *failed_starts >= MOST_FAILED_STARTS => {
            Err(Fault::Unsuitable(format!("{fault}, {failed_starts} times in a row")))
        }
        result => result,
    }
}
