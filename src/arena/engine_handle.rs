//! An engine of a match that is started when needed, and again after a fault.

use super::client::{self, Client, EngineFault, MatchContext};
use super::spec::{EngineSpec, Participant};
use super::time_control::TimeControl;

/// An engine that may or may not be running.
pub struct EngineHandle {
    spec: EngineSpec,
    time_control: TimeControl,
    context: MatchContext,
    client: Option<Box<dyn Client>>,
    /// Parameters that differ from game to game, and whether the running engine has them.
    params: Vec<(String, String)>,
    has_params: bool,
    starts: Starts,
}

/// How often an engine has been started.
#[derive(Clone, Copy, Default)]
struct Starts {
    /// Whether it has started once.
    has_succeeded: bool,
    /// Failed starts since the last successful one.
    failed: u32,
}

/// The number of consecutive failed starts after which an engine that has played is given up. One
/// that has never started is given up at once.
const MAX_FAILED_STARTS: u32 = 5;

impl EngineHandle {
    /// The engine of a participant, not yet started.
    pub fn new(participant: &Participant, context: MatchContext) -> EngineHandle {
        EngineHandle {
            spec: participant.spec.clone(),
            time_control: participant.time_control,
            context,
            client: None,
            params: Vec::new(),
            has_params: true,
            starts: Starts::default(),
        }
    }

    /// The limits of the engine.
    pub fn time_control(&self) -> TimeControl {
        self.time_control
    }

    /// Whether the engine is running.
    pub fn is_running(&self) -> bool {
        self.client.is_some()
    }

    /// The name the engine gives itself, once it has been started.
    pub fn identity(&self) -> Option<&str> {
        self.client.as_deref().map(Client::identity)
    }

    /// Sets parameters of the engine, names and values, for the games from now on, in place of
    /// those of the last call. The engine may or may not be running.
    pub fn set_params(&mut self, params: Vec<(String, String)>) {
        (self.params, self.has_params) = (params, false);
    }

    /// Performs an action on the engine, starting it first if it is not running. An engine that
    /// fails is killed.
    ///
    /// # Errors
    ///
    /// The engine has failed. If it has never started, or after several failed starts in a row, it
    /// is [`EngineFault::Unsuitable`].
    pub fn with<T>(
        &mut self,
        action: impl FnOnce(&mut dyn Client) -> Result<T, EngineFault>,
    ) -> Result<T, EngineFault> {
        let client = match &mut self.client {
            Some(client) => client,
            empty => {
                self.has_params = self.params.is_empty();
                empty.insert(start(&self.spec, &self.context, &mut self.starts)?)
            }
        };
        let is_set = match std::mem::replace(&mut self.has_params, true) {
            true => Ok(()),
            false => client.set_params(&self.params),
        };
        let result = is_set.and_then(|()| action(client.as_mut()));
        if result.is_err() {
            self.client = None;
        }
        result
    }

    /// Asks the engine to quit.
    pub fn quit(&mut self) {
        if let Some(client) = self.client.take() {
            client.quit();
        }
    }
}

fn start(
    spec: &EngineSpec,
    context: &MatchContext,
    starts: &mut Starts,
) -> Result<Box<dyn Client>, EngineFault> {
    let result = client::start(spec, context);
    starts.has_succeeded |= result.is_ok();
    starts.failed = if result.is_ok() { 0 } else { starts.failed + 1 };
    match result {
        Err(fault @ (EngineFault::Interrupted | EngineFault::Unsuitable(_))) => Err(fault),
        Err(fault) if !starts.has_succeeded => Err(EngineFault::Unsuitable(fault.to_string())),
        Err(fault) if starts.failed >= MAX_FAILED_STARTS => {
            Err(EngineFault::Unsuitable(format!("{fault}, {} times in a row", starts.failed)))
        }
        result => result,
    }
}
