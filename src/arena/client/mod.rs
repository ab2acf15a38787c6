//! Engines as the arena sees them: somebody who is shown a position and answers with a move.
//!
//! Every protocol is a [`Client`]. Positions and moves are text in Hub notation, whatever the
//! protocol makes of them; whether a move is legal is for the referee to say.
//!
//! - `process`: the engine's process and its children.
//! - `inbox`, `outbox`: what comes from an engine and goes to it, on threads of their own; `output`
//!   is an inbox with an eye on the process.
//! - `dialogue`: a conversation in lines with a process; on it stand `hub2`, with `declared`, and
//!   `hub1`.
//! - `dxp`: messages over TCP, by `link`.

mod declared;
mod dialogue;
mod dxp;
mod hub1;
mod hub2;
mod inbox;
mod link;
mod outbox;
mod output;
mod process;

use std::fmt;
use std::time::{Duration, Instant};

use crate::board::Side;
use crate::rules::Variant;

use super::interrupt::Interrupt;
use super::spec::{EngineSpec, Protocol};
use super::stats::GameScore;
use super::time_control::{MoveLimits, TimeControl};

/// Starts an engine and makes it ready.
///
/// # Errors
///
/// [`Fault::Unsuitable`] if starting it again would not help, or how it has failed.
pub fn start(spec: &EngineSpec, occasion: &Occasion) -> Result<Box<dyn Client>, Fault> {
    let client: Result<Box<dyn Client>, Fault> = match spec.protocol {
        Protocol::Hub1 => hub1::Hub1::start(spec, occasion).map(boxed),
        Protocol::Hub2 => hub2::Hub2::start(spec, occasion).map(boxed),
        Protocol::Dxp => dxp::Dxp::start(spec, occasion).map(boxed),
    };
    client.map_err(|fault| match fault {
        Fault::Crash(how) => Fault::NoStart(how),
        Fault::Hang => Fault::NoStart("it does not read".to_owned()),
        fault => fault,
    })
}

fn boxed<C: Client + 'static>(client: C) -> Box<dyn Client> {
    Box::new(client)
}

/// An engine that runs and is ready.
pub trait Client: Send {
    /// Who it says it is: `Scan 3.1`; empty if it has not said.
    fn identity(&self) -> &str;

    /// Tells it that a game begins, and waits until it is ready for it.
    ///
    /// # Errors
    ///
    /// The engine has failed; it must be started anew.
    fn new_game(&mut self, start: &Start<'_>) -> Result<(), Fault>;

    /// Asks it for a move.
    ///
    /// # Errors
    ///
    /// The engine has failed; it must be started anew.
    fn think(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault>;

    /// Tells it how the game has ended.
    ///
    /// # Errors
    ///
    /// The engine has failed; it must be started anew.
    fn end_game(&mut self, end: &End<'_>) -> Result<(), Fault>;

    /// Asks it to leave, and makes it. Dropping a client makes it leave without asking.
    fn quit(self: Box<Self>);
}

/// The game that begins.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The position in which the engines begin to think, in Hub notation.
    pub position: &'a str,
    /// Whether that is the start position of the variant.
    pub is_initial: bool,
    /// The side of the engine.
    pub side: Side,
    /// The limits of the engine.
    pub time_control: TimeControl,
}

/// What an engine is asked.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// A position from which all moves count for the draw rules, in Hub notation.
    pub position: &'a str,
    /// The running king moves in it, in Hub's notation: `W28=2`; mostly empty.
    pub wolf: &'a str,
    /// The moves since.
    pub moves: &'a [String],
    /// The move that the opponent has just answered with; `None` if the engine makes the first of
    /// the game.
    pub last: Option<&'a str>,
    /// The limits of the move.
    pub limits: MoveLimits,
    /// How long to wait for an answer before it is asked for at once; then for [`GRACE`].
    pub patience: Duration,
}

/// How long an engine that is told to stop may take to answer before it has hung.
pub const GRACE: Duration = Duration::from_secs(1);

/// What an engine has answered.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The answer itself.
    pub said: Said,
    /// From the question to the answer, on the clock of the arena.
    pub time: Duration,
    /// What it has told about its last search.
    pub report: Report,
}

/// The answers there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// A move in Hub notation.
    Move(String),
    /// No move.
    Nothing,
    /// The engine gives up.
    Resigns,
    /// The engine says that the game is drawn.
    ClaimsDraw,
    /// The engine says that it has won.
    ClaimsWin,
}

/// What an engine tells about a search; whatever it does not tell is `None` or empty.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// Plies.
    pub depth: Option<u32>,
    /// In men, from the engine's side.
    pub score: Option<f64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// The time that the engine says it has taken.
    pub time: Option<Duration>,
    /// The line it expects, in the engine's own notation.
    pub pv: String,
    /// What it has complained about before it answered: the last `error` line.
    pub error: Option<String>,
}

/// How a game has ended, for one of its engines.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// The last move, if it is the opponent's and the engine has not seen it.
    pub last: Option<&'a str>,
    /// Whether the engine is to move in the last position.
    pub is_to_move: bool,
    /// What it has got.
    pub result: GameScore,
}

/// How an engine fails. All but the first and the last cost it the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The engine cannot play in this match at all: what it lacks.
    Unsuitable(String),
    /// The engine did not get ready: what it did instead.
    NoStart(String),
    /// The program has ended: how.
    Crash(String),
    /// No answer, not even when told to stop.
    Hang,
    /// More output than anybody could read.
    Flood,
    /// It said something that makes no sense: what.
    Protocol(String),
    /// The match was interrupted while it was waited for. Nobody's fault.
    Interrupted,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unsuitable(what) => f.write_str(what),
            Fault::NoStart(what) => write!(f, "did not start: {what}"),
            Fault::Crash(how) => write!(f, "crashed: {how}"),
            Fault::Hang => f.write_str("hung"),
            Fault::Flood => f.write_str("flooded its output"),
            Fault::Protocol(what) => write!(f, "broke the protocol: {what}"),
            Fault::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// The match that an engine is started for.
#[derive(Clone, Debug)]
pub struct Occasion {
    /// The game to be played.
    pub variant: Variant,
    /// Ends the match: whoever waits for an engine gives up with [`Fault::Interrupted`] soon.
    pub interrupt: Interrupt,
}

/// A time later than another. Nobody waits longer than a year.
fn after(start: Instant, wait: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(366 * 24 * 3600);
    start + wait.min(YEAR)
}
