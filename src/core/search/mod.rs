//! The search: alpha-beta with iterative deepening. It knows no protocol and does no output; it
//! reports to a sink.
//!
//! From the outside in: [`think`] runs one search, `root` deepens it, `node` and `quiescence` walk
//! the tree with the state of a `worker`.

mod busy;
mod clock;
mod correction;
mod draws;
mod endings;
mod eval_cache;
mod experience;
mod history;
mod limits;
mod lines;
mod node;
mod open_nodes;
mod params;
mod picker;
mod plan;
mod pool;
mod pruning;
mod quiescence;
mod record;
mod reductions;
mod report;
mod root;
mod round;
mod shared;
mod stack;
mod together;
mod variations;
mod worker;

pub use limits::{Clock, Control, Horizon, Limits, Mode};
pub use params::{Params, Tunable};
pub use pool::Pool;
pub use report::{Best, Info, Sink};

use std::thread;
use std::time::Instant;

use crate::bitbase::BitbaseSet;
use crate::board::{BitMove, MoveList};
use crate::eval::Evaluation;
use crate::game::BitGame;
use crate::movegen;
use crate::rules::Rules;
use crate::tt::TranspositionTable;

use clock::{Stopwatch, phase};
use node::game_over;
use params::{MAX_DEPTH, WAIT_STEP};
use plan::Plan;
use pool::ThreadTally;
use root::Root;
use worker::{Brake, Worker};

/// A search to run.
#[derive(Clone, Copy)]
pub struct Job<'a, R: Rules> {
    /// The game, whose last position is searched.
    pub game: &'a BitGame<R>,
    /// The transposition table.
    pub tt: &'a TranspositionTable,
    /// The bitbases.
    pub bitbases: &'a BitbaseSet<R>,
    /// The static evaluation.
    pub evaluation: &'a Evaluation,
    /// The tunables.
    pub params: Params,
    /// The number of root moves that get a line of their own.
    pub multipv: usize,
    /// The limits of the search.
    pub limits: Limits,
    /// The handle to stop it.
    pub control: &'a Control,
}

/// Searches with all threads of a pool until a limit is reached or a stop comes, and returns no
/// earlier than the limits allow. `sink` gets information during the search, and none if the game
/// is over.
pub fn think<R: Rules>(
    job: Job<R>,
    pool: &mut Pool,
    sink: Sink<'_, R>,
) -> Best<BitMove<R::Geometry>> {
    let began = Instant::now();
    let moves = movegen::legal_moves(job.game.position());
    let is_over = moves.is_empty();
    let info = match is_over {
        true => finished::<R>(began),
        false => answer(&job, pool, began, &moves, sink),
    };
    hold_back(&job.limits, job.control, is_over);
    let ponder = ponder_move(job.game, job.tt, &info.pv);
    Best { mv: info.pv.first().copied(), ponder, info }
}

/// Answers a position that has legal moves: from the bitbases if they know all of it, else by a
/// search.
fn answer<R: Rules>(
    job: &Job<R>,
    pool: &mut Pool,
    began: Instant,
    moves: &MoveList<R::Geometry>,
    sink: Sink<'_, R>,
) -> Info<BitMove<R::Geometry>> {
    let plan = Plan::new(job.game, job.bitbases, moves);
    if let Some(mut lines) = plan.lines(job.game, job.multipv) {
        let time = began.elapsed();
        for line in &mut lines {
            line.time = time;
            sink(line);
        }
        return lines.swap_remove(0);
    }
    let best = search(job, pool, began, &plan, &mut |info| sink(&plan.claimed(info)));
    for line in plan.other_lines(job.multipv) {
        sink(&Info { time: began.elapsed(), ..line });
    }
    plan.claimed(&best)
}

/// Searches a position that has legal moves; only the first thread reports to the sink.
fn search<R: Rules>(
    job: &Job<R>,
    pool: &mut Pool,
    began: Instant,
    plan: &Plan<R>,
    sink: Sink<'_, R>,
) -> Info<BitMove<R::Geometry>> {
    let moves = &plan.moves;
    let tally = &ThreadTally::new(pool.threads());
    let brake = |thread| Brake {
        control: job.control,
        stopwatch: Stopwatch::new(began, &job.limits, phase(job.game), moves.len() == 1),
        nodes: job.limits.nodes.unwrap_or(u64::MAX),
        soft_nodes: job.limits.soft_nodes.unwrap_or(u64::MAX),
        tally,
        thread,
    };
    let max_depth = job.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    pool.run(
        |experience| {
            let worker = Worker::new(job, plan.endings, experience, brake(0));
            let info = Root::new(worker, moves, job.multipv, sink).deepen(max_depth);
            tally.end();
            info
        },
        |thread, experience| {
            let worker = Worker::new(job, plan.endings, experience, brake(thread));
            Root::new(worker, moves, 1, &mut |_| {}).help();
        },
    )
}

/// Waits until a finished search may return: a ponder search until the ponder-hit or a stop, a
/// search without limits until a stop, unless the game is over. It sleeps meanwhile, at next to no
/// cost.
pub fn hold_back(limits: &Limits, control: &Control, is_over: bool) {
    let must_wait = || {
        let ponders = limits.mode == Mode::Ponder && control.ponder_hit_at().is_none();
        let is_endless = limits.is_infinite() && !is_over;
        !control.is_stopped() && (ponders || is_endless)
    };
    while must_wait() {
        thread::sleep(WAIT_STEP);
    }
}

/// The information on a game that is over.
fn finished<R: Rules>(began: Instant) -> Info<BitMove<R::Geometry>> {
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

/// The expected reply to the first move of a variation: its second move, else the hash move after
/// it.
fn ponder_move<R: Rules>(
    game: &BitGame<R>,
    tt: &TranspositionTable,
    pv: &[BitMove<R::Geometry>],
) -> Option<BitMove<R::Geometry>> {
    if pv.len() >= 2 {
        return pv.get(1).copied();
    }
    let next = game.position().after(*pv.first()?);
    let known = tt.probe(next.key(), 1)?.mv?;
    movegen::legal_moves(&next).into_iter().find(|&mv| known == mv.into())
}
