//! Engines with every kind of fault, through every protocol: the arena names the fault and leaves
//! no process behind.

mod dxp;
mod faults;
mod hub;
mod starting;

use std::net::TcpStream;
use std::time::Duration;

use manoury::arena::client::{
    self, Client, EngineFault, EngineReply, GameStart, MatchContext, MoveRequest, TimedReply,
};
use manoury::arena::spec::EngineSpec;
use manoury::arena::time_control::{MoveLimits, TimeControl};
use manoury::board::Side;
use manoury::rules::Variant;
use manoury::runtime::interrupt::Interrupt;

use super::engine::{PATIENCE, Witness, faulty_engine};

const START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

/// The first legal moves of the test engine, from the start position.
const FIRST: &str = "31-26";
const SECOND: &str = "16-21";

fn context() -> MatchContext {
    MatchContext::new(Variant::International, Interrupt::default())
}

/// The test engine in one of its modes.
fn spec(mode: &str, witness: &Witness) -> EngineSpec {
    let engine = faulty_engine();
    let command = [engine.to_str().unwrap(), mode, &witness.port()].map(str::to_owned).to_vec();
    EngineSpec { command, start_limit: PATIENCE, ..EngineSpec::default() }
}

/// An engine that must start, and the connection of its process.
fn start(mode: &str) -> (Box<dyn Client>, TcpStream) {
    let witness = Witness::new();
    let client = client::start(&spec(mode, &witness), &context()).unwrap();
    (client, witness.process())
}

fn fault_of_start(spec: &EngineSpec) -> EngineFault {
    match client::start(spec, &context()) {
        Ok(_) => panic!("it has started"),
        Err(fault) => fault,
    }
}

fn nodes(nodes: u64) -> MoveLimits {
    MoveLimits { nodes: Some(nodes), ..MoveLimits::default() }
}

fn turn(patience: Duration) -> MoveRequest<'static> {
    MoveRequest { position: START, wolf: "", moves: &[], last: None, limits: nodes(9), patience }
}

fn think(client: &mut dyn Client) -> Result<TimedReply, EngineFault> {
    client.think(&turn(PATIENCE))
}

fn moved(mv: &str) -> EngineReply {
    EngineReply::Move(mv.to_owned())
}

fn game(time_control: TimeControl) -> GameStart<'static> {
    GameStart { position: START, is_initial: true, side: Side::White, time_control }
}

fn by_nodes() -> GameStart<'static> {
    game(TimeControl { nodes: Some(9), ..TimeControl::default() })
}
