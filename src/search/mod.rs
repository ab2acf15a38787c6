//! The search: alpha-beta with iterative deepening. It knows no protocol and writes nothing: it
//! reports to a sink.
//!
//! From the outside in: [`think`] runs one search, `root` deepens it, `node` and `quiescence` walk
//! the tree with the state of a `worker`.

mod clock;
mod draws;
mod history;
mod limits;
mod lines;
mod node;
mod params;
mod picker;
mod quiescence;
mod report;
mod root;
mod variations;
mod worker;

pub use limits::{Clock, Control, Limits, Mode};
pub use report::{Best, Info};

use std::thread;
use std::time::Instant;

use crate::board::Move;
use crate::game::Game;
use crate::movegen;
use crate::rules::Rules;
use crate::tt::Table;

use clock::Stopwatch;
use node::game_over;
use params::{MAX_DEPTH, WAIT_STEP};
use root::Root;
use worker::{Brake, Worker};

/// Searches the last position of a game until a limit is reached or `control` stops it, and returns
/// not before the limits allow it. `multipv` of the root moves get a line of their own. `sink` gets
/// the information on the way; nothing if the game is over.
pub fn think<R: Rules>(
    game: &Game<R>,
    tt: &Table,
    limits: &Limits,
    multipv: usize,
    control: &Control,
    sink: &mut dyn FnMut(&Info<R::Geometry>),
) -> Best<R::Geometry> {
    let began = Instant::now();
    let moves = movegen::legal_moves(game.position());
    let is_over = moves.is_empty();
    let info = if is_over {
        finished::<R>(began)
    } else {
        let brake = Brake {
            control,
            stopwatch: Stopwatch::new(began, limits, moves.len() == 1),
            nodes: limits.nodes.unwrap_or(u64::MAX),
        };
        let worker = Worker::new(game, tt, brake);
        let max_depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        Root::new(worker, moves, multipv, sink).deepen(max_depth)
    };
    hold_back(limits, control, is_over);
    Best { mv: info.pv.first().copied(), ponder: ponder_move(game, tt, &info.pv), info }
}

/// Waits until a finished search may return: a ponder search not before the ponder-hit, a search
/// without limits not before it is stopped. It is quiet and costs next to no time.
fn hold_back(limits: &Limits, control: &Control, is_over: bool) {
    let must_wait = || {
        let ponders = limits.mode == Mode::Ponder && control.ponder_hit_at().is_none();
        let is_endless = limits.is_infinite() && !is_over;
        !control.is_stopped() && (ponders || is_endless)
    };
    while must_wait() {
        thread::sleep(WAIT_STEP);
    }
}

/// The information about a game that is over.
fn finished<R: Rules>(began: Instant) -> Info<R::Geometry> {
    Info {
        rank: 1,
        depth: 0,
        mean_depth: 0.0,
        score: game_over::<R>(0),
        nodes: 0,
        time: began.elapsed(),
        pv: Vec::new(),
    }
}

/// The answer that is expected to the first move of a variation: its second move, else what the
/// table knows.
fn ponder_move<R: Rules>(
    game: &Game<R>,
    tt: &Table,
    pv: &[Move<R::Geometry>],
) -> Option<Move<R::Geometry>> {
    if pv.len() >= 2 {
        return pv.get(1).copied();
    }
    let next = game.position().after(*pv.first()?);
    let known = tt.probe(next.key(), 1)?.mv?;
    movegen::legal_moves(&next).into_iter().find(|&mv| known == mv.into())
}
