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
mod resume;
mod root;
mod round;
mod shared;
mod stack;
mod together;
mod variations;
mod worker;

pub use limits::{Clock, Control, Limits, Mode, Quiescence};
pub use params::{Params, Tunable};
pub use pool::{STACK_SIZE, ThreadPool};
pub use report::{Info, SearchResult, Sink};
pub use resume::ResumeState;

use std::thread;

use crate::bitbase::BitbaseSet;
use crate::board::{BitMove, MoveList};
use crate::eval::Evaluation;
use crate::game::BitGame;
use crate::instant::Instant;
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
    /// When to return even if the search is not over; `None` for never.
    pub pause: Option<Instant>,
}

/// Searches with all threads of a pool until a limit is reached or a stop comes. `sink` gets
/// information during the search, and none if the game is over.
///
/// Returns `None` if the search pauses before that; another call with the same game, limits and
/// state resumes it.
pub fn think<R: Rules>(
    job: Job<R>,
    pool: &mut ThreadPool,
    resume: &mut ResumeState<BitMove<R::Geometry>>,
    sink: Sink<'_, R>,
) -> Option<SearchResult<BitMove<R::Geometry>>> {
    let began = Instant::now();
    let moves = movegen::legal_moves(job.game.position());
    let info = match moves.is_empty() {
        true => finished::<R>(began),
        false => answer(&job, pool, began, resume, &moves, sink)?,
    };
    let ponder = ponder_move(job.game, job.tt, &info.pv);
    Some(SearchResult { mv: info.pv.first().copied(), ponder, info })
}

/// Answers a position that has legal moves: from the bitbases if they know all of it, else by a
/// search.
fn answer<R: Rules>(
    job: &Job<R>,
    pool: &mut ThreadPool,
    began: Instant,
    resume: &mut ResumeState<BitMove<R::Geometry>>,
    moves: &MoveList<R::Geometry>,
    sink: Sink<'_, R>,
) -> Option<Info<BitMove<R::Geometry>>> {
    let plan = Plan::new(job.game, job.bitbases, moves);
    if let Some(mut lines) = plan.lines(job.game, job.multipv) {
        let time = began.elapsed();
        for line in &mut lines {
            line.time = time;
            sink(line);
        }
        return Some(lines.swap_remove(0));
    }
    let best = search(job, pool, began, resume, &plan, &mut |info| sink(&plan.claimed(info)))?;
    for line in plan.other_lines(job.multipv) {
        sink(&Info { time: best.time, ..line });
    }
    Some(plan.claimed(&best))
}

/// Searches a position that has legal moves; only the first thread reports to the sink.
fn search<R: Rules>(
    job: &Job<R>,
    pool: &mut ThreadPool,
    began: Instant,
    resume: &mut ResumeState<BitMove<R::Geometry>>,
    plan: &Plan<R>,
    sink: Sink<'_, R>,
) -> Option<Info<BitMove<R::Geometry>>> {
    let moves = &plan.moves;
    let tally = &ThreadTally::new(pool.threads());
    let stopwatch = match &resume.0 {
        Some(stretch) => stretch.stopwatch.clone(),
        None => Stopwatch::new(began, &job.limits, phase(job.game), moves.len() == 1),
    };
    let stopwatch = stopwatch.until(job.pause);
    let brake = |thread| Brake {
        control: job.control,
        stopwatch: stopwatch.clone(),
        nodes: job.limits.nodes.unwrap_or(u64::MAX),
        soft_nodes: job.limits.soft_nodes.unwrap_or(u64::MAX),
        tally,
        thread,
    };
    let max_depth = job.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    pool.run(
        |experience| {
            let worker = Worker::new(job, plan.endings, experience, brake(0));
            let root = Root::new(worker, moves, job.multipv, sink);
            let info = root.deepen(resume, max_depth);
            tally.end();
            info
        },
        |thread, experience| {
            let worker = Worker::new(job, plan.endings, experience, brake(thread));
            Root::new(worker, moves, 1, &mut |_| {}).help();
        },
    )
}

/// Whether a search that has its result must keep it: a ponder search until the ponder-hit or a
/// stop, a search without limits until a stop, unless the game is over.
pub fn must_wait(limits: &Limits, control: &Control, is_over: bool) -> bool {
    let ponders = limits.mode == Mode::Ponder && control.ponder_hit_at().is_none();
    let is_endless = limits.is_infinite() && !is_over;
    !control.is_stopped() && (ponders || is_endless)
}

/// Waits as long as a search [must](must_wait). It sleeps meanwhile, at next to no cost.
pub fn wait_until_allowed(limits: &Limits, control: &Control, is_over: bool) {
    while must_wait(limits, control, is_over) {
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
