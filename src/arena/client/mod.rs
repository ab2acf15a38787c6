//! The arena's interface to engines: an engine is sent a position and replies with a move.
//!
//! Each protocol has an implementation of [`Client`]. The interface uses text in Hub notation for
//! positions and moves, whatever the notation of the protocol. The referee decides whether a move
//! is legal.
//!
//! An [`EngineHandle`] starts a client when needed, and restarts it after a fault.
//!
//! - `channels`: the threads that read from an engine and write to it.
//! - `process`: the engine's process with its child processes, and its output.
//! - `text_engine`: a process that reads and writes lines; used by `hub1` and `hub2`.
//! - `dxp`: messages over TCP, through `dxp_stream`.
//! - [`cores`]: dedicated processor cores for the engines of a game.
//! - [`transcript`]: a file that records all messages to and from the engines.

mod channels;
pub mod cores;
mod dxp;
mod dxp_stream;
mod hub1;
mod hub2;
mod process;
mod text_engine;
pub mod transcript;

pub use hub2::{DeclaredNumber, DeclaredParameter};

use std::time::{Duration, Instant};

use thiserror::Error;

use crate::board::Side;
use crate::game::GameResult;
use crate::rules::Variant;

use super::spec::{EngineSpec, Participant, Protocol};
use super::time_control::{MoveLimits, TimeControl};
use crate::runtime::interrupt::Interrupt;
use cores::CoreSet;
use transcript::Transcript;

/// Starts an engine and waits until it is ready.
///
/// # Errors
///
/// [`EngineFault::Unsuitable`] if starting the engine again would not help, otherwise the fault
/// that occurred, but [`EngineFault::NoStart`] instead of a crash or a hang.
pub fn start(spec: &EngineSpec, context: &MatchContext) -> Result<Box<dyn Client>, EngineFault> {
    let client: Result<Box<dyn Client>, EngineFault> = match spec.protocol {
        Protocol::Hub1 => hub1::Hub1Client::start(spec, context).map(boxed),
        Protocol::Hub2 => hub2::Hub2Client::start(spec, context).map(boxed),
        Protocol::Dxp => dxp::DxpClient::start(spec, context).map(boxed),
    };
    client.map_err(|fault| match fault {
        EngineFault::Crash(how) => EngineFault::NoStart(how),
        EngineFault::Hang => EngineFault::NoStart("it does not read its input".to_owned()),
        fault => fault,
    })
}

fn boxed<C: Client + 'static>(client: C) -> Box<dyn Client> {
    Box::new(client)
}

/// An engine that is running and ready.
pub trait Client: Send {
    /// The name and version that the engine reports, such as `Scan 3.1`; empty if it reports none.
    fn identity(&self) -> &str;

    /// The reported name, such as `Scan`; without the version if the protocol separates name and
    /// version.
    fn name(&self) -> &str {
        self.identity()
    }

    /// The parameters that the engine has declared; empty unless it speaks Hub 2.
    fn declared(&self) -> &[DeclaredParameter] {
        &[]
    }

    /// The peak memory of the engine's process and its child processes in bytes: the sum of their
    /// peak resident sets. `None` if unknown: on systems other than Linux, and over DXP.
    fn peak_memory(&self) -> Option<u64> {
        None
    }

    /// Sets declared parameters, given as names and values, between two games.
    ///
    /// # Errors
    ///
    /// The engine has failed and must be restarted; [`EngineFault::Unsuitable`] if the protocol has
    /// no declared parameters, or the engine reports an error.
    fn set_params(&mut self, _: &[(String, String)]) -> Result<(), EngineFault> {
        Err(EngineFault::Unsuitable("parameters can be set only over Hub 2".to_owned()))
    }

    /// Announces a game, and waits until the engine is ready for it.
    ///
    /// # Errors
    ///
    /// The engine has failed and must be restarted.
    fn new_game(&mut self, start: &GameStart<'_>) -> Result<(), EngineFault>;

    /// Requests a move.
    ///
    /// # Errors
    ///
    /// The engine has failed and must be restarted.
    fn think(&mut self, turn: &MoveRequest<'_>) -> Result<TimedReply, EngineFault>;

    /// Announces the end of the game.
    ///
    /// # Errors
    ///
    /// The engine has failed and must be restarted.
    fn end_game(&mut self, end: &GameEnd<'_>) -> Result<(), EngineFault>;

    /// Asks the engine to quit, and kills it if it does not. Dropping a client kills the engine
    /// without asking.
    fn quit(self: Box<Self>);
}

/// The start of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameStart<'a> {
    /// The position from which the engines play, in Hub notation.
    pub position: &'a str,
    /// Whether this is the start position of the variant.
    pub is_initial: bool,
    /// The side that the engine plays.
    pub side: Side,
    /// The limits of the engine.
    pub time_control: TimeControl,
}

/// A request for a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// The earliest position that matters for the draw rules, in Hub notation.
    pub position: &'a str,
    /// The king-move counters of `position` in Hub notation, such as `W28=2`; usually empty.
    pub wolf: &'a str,
    /// The moves played from `position` to the current position.
    pub moves: &'a [String],
    /// The opponent's last move; `None` if the engine makes the first move of the game.
    pub last: Option<&'a str>,
    /// The limits of the move.
    pub limits: MoveLimits,
    /// How long to wait for a reply before the engine is told to stop. It then has [`STOP_GRACE`]
    /// to reply.
    pub patience: Duration,
}

/// Time that an engine has to reply after it has been told to stop. An engine that takes longer
/// counts as hung.
pub const STOP_GRACE: Duration = Duration::from_secs(1);

/// A reply and the time it took.
#[derive(Clone, PartialEq, Debug)]
pub struct TimedReply {
    /// The reply itself.
    pub reply: EngineReply,
    /// Time from the request to the reply, as measured by the arena.
    pub time: Duration,
    /// The engine's report about the search.
    pub report: SearchReport,
}

/// The reply to a move request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineReply {
    /// A move in Hub notation.
    Move(String),
    /// No move.
    NoMove,
    /// A resignation.
    Resignation,
    /// A claim of a draw.
    DrawClaim,
    /// A claim of a win.
    WinClaim,
}

/// An engine's report about a search; missing values are `None` or empty.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchReport {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Score in men, from the engine's point of view.
    pub score: Option<f64>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Time used, according to the engine.
    pub time: Option<Duration>,
    /// The principal variation, in the engine's own notation.
    pub pv: String,
    /// When the first move of the principal variation last changed: the time since the request, as
    /// measured by the arena.
    pub changed: Duration,
    /// The last `error` line before the reply.
    pub error: Option<String>,
}

impl SearchReport {
    /// Sets the principal variation, as received at a time since the request.
    fn set_pv(&mut self, pv: &str, at: Duration) {
        let first = |pv: &str| pv.split_whitespace().next().map(str::to_owned);
        if first(pv) != first(&self.pv) {
            self.changed = at;
        }
        self.pv = pv.to_owned();
    }
}

/// The end of a game, as sent to one of its engines.
#[derive(Clone, Copy, Debug)]
pub struct GameEnd<'a> {
    /// The last move, if it is the opponent's and has not been sent to the engine.
    pub last: Option<&'a str>,
    /// Whether the engine is to move in the last position.
    pub is_to_move: bool,
    /// The result for the engine.
    pub result: GameResult,
}

/// How an engine failed. Every fault except `Unsuitable` and `Interrupted` loses the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineFault {
    /// The engine cannot play in this match at all; contains the reason.
    #[error("{0}")]
    Unsuitable(String),
    /// The engine did not become ready; contains the reason.
    #[error("did not start: {0}")]
    NoStart(String),
    /// The process ended; contains its exit code or signal.
    #[error("crashed: {0}")]
    Crash(String),
    /// The engine did not reply, even after it was told to stop.
    #[error("hung")]
    Hang,
    /// The engine exceeded its output budget.
    #[error("printed too much output")]
    Flood,
    /// The engine violated the protocol; contains the offending text.
    #[error("violated the protocol: {0}")]
    Protocol(String),
    /// The match was interrupted while the arena waited for the engine; not a fault of the engine.
    #[error("interrupted")]
    Interrupted,
}

/// The match for which an engine is started.
#[derive(Clone, Debug)]
pub struct MatchContext {
    /// The variant played.
    pub variant: Variant,
    /// Stops the match. Waiting for an engine then fails with [`EngineFault::Interrupted`].
    pub interrupt: Interrupt,
    /// The cores on which the engine runs; `None` for any.
    pub cores: Option<CoreSet>,
    /// The transcript of all texts; `None` for no transcript.
    pub transcript: Option<Transcript>,
}

impl MatchContext {
    /// A match whose engines may run on any core, without a transcript.
    pub fn new(variant: Variant, interrupt: Interrupt) -> MatchContext {
        MatchContext { variant, interrupt, cores: None, transcript: None }
    }
}

/// An engine that may or may not be running.
pub struct EngineHandle {
    spec: EngineSpec,
    time_control: TimeControl,
    context: MatchContext,
    client: Option<Box<dyn Client>>,
    /// Parameters that may differ from game to game.
    params: Vec<(String, String)>,
    /// Whether `params` have been sent to the running engine.
    has_params: bool,
    starts: StartCounts,
}

/// Successful and failed starts of an engine.
#[derive(Clone, Copy, Default)]
struct StartCounts {
    /// Whether the engine has ever started successfully.
    has_succeeded: bool,
    /// Failed starts since the last successful one.
    failed: u32,
}

/// Number of consecutive failed starts after which an engine that started before counts as
/// unsuitable. An engine that has never started counts as unsuitable after the first failed start.
const MAX_FAILED_STARTS: u32 = 5;

impl EngineHandle {
    /// The engine of a participant, not yet started.
    pub fn new(participant: &Participant, context: MatchContext) -> EngineHandle {
        let transcript = context.transcript.map(|all| all.of_engine(&participant.name));
        let context = MatchContext { transcript, ..context };
        EngineHandle {
            spec: participant.spec.clone(),
            time_control: participant.time_control,
            context,
            client: None,
            params: Vec::new(),
            has_params: true,
            starts: StartCounts::default(),
        }
    }

    /// The limits of the engine.
    pub fn time_control(&self) -> TimeControl {
        self.time_control
    }

    /// The transcript for this engine, if there is one.
    pub fn transcript(&self) -> Option<&Transcript> {
        self.context.transcript.as_ref()
    }

    /// Whether the engine is running.
    pub fn is_running(&self) -> bool {
        self.client.is_some()
    }

    /// The name that the engine reports; `None` if it is not running.
    pub fn identity(&self) -> Option<&str> {
        self.client.as_deref().map(Client::identity)
    }

    /// Sets the parameters of the engine (names and values) for the games that follow, replacing
    /// those set by an earlier call. The engine need not be running.
    pub fn set_params(&mut self, params: Vec<(String, String)>) {
        (self.params, self.has_params) = (params, false);
    }

    /// Performs an action on the engine, starting it first if it is not running. Kills an engine
    /// that fails.
    ///
    /// # Errors
    ///
    /// The engine has failed; [`EngineFault::Unsuitable`] if it has never started, or after several
    /// consecutive failed starts.
    pub fn with_client<T>(
        &mut self,
        action: impl FnOnce(&mut dyn Client) -> Result<T, EngineFault>,
    ) -> Result<T, EngineFault> {
        let client = match &mut self.client {
            Some(client) => client,
            empty => {
                self.has_params = self.params.is_empty();
                empty.insert(start_again(&self.spec, &self.context, &mut self.starts)?)
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

fn start_again(
    spec: &EngineSpec,
    context: &MatchContext,
    starts: &mut StartCounts,
) -> Result<Box<dyn Client>, EngineFault> {
    let result = self::start(spec, context);
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

/// The instant `start + wait`, with `wait` limited to a year.
fn after(start: Instant, wait: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(366 * 24 * 3600);
    start + wait.min(YEAR)
}
