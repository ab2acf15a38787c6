//! Alpha-beta search with iterative deepening. It is independent of protocols and does no output;
//! results go to a sink.
//!
//! [`think`] runs one search; `root` does iterative deepening; `node` and `quiescence` search the
//! tree; `worker` holds the state of each thread; `pruning` decides which nodes and moves to prune,
//! reduce or extend.

mod endings;
mod eval_cache;
mod histories;
mod limits;
mod multipv;
mod node;
mod overhead;
mod params;
mod picker;
mod pruning;
mod quiescence;
mod root;
mod smp;
mod time_budget;
mod time_manager;
mod worker;

pub use limits::{BitInfo, Clock, Control, Info, Limits, Mode, Quiescence, SearchResult, Sink};
pub use overhead::OverheadEstimate;
pub use params::{Params, Tunable};
pub use root::ResumeState;
pub use smp::{STACK_SIZE, ThreadPool};

use std::thread;

use crate::bitbase::BitbaseSet;
use crate::board::{BitMove, MoveList};
use crate::eval::Evaluation;
use crate::game::BitGame;
use crate::instant::Instant;
use crate::movegen;
use crate::rules::Rules;
use crate::tt::TranspositionTable;

use endings::RootPlan;
use node::game_over;
use params::{MAX_DEPTH, WAIT_INTERVAL};
use root::Root;
use smp::SharedState;
use time_budget::game_phase;
use time_manager::TimeManager;
use worker::{StopConditions, Worker};

/// The inputs of one search.
#[derive(Clone, Copy)]
pub struct Job<'a, R: Rules> {
    /// The game; its last position is searched.
    pub game: &'a BitGame<R>,
    /// The transposition table.
    pub tt: &'a TranspositionTable,
    /// The bitbases.
    pub bitbases: &'a BitbaseSet<R>,
    /// The static evaluation.
    pub evaluation: &'a Evaluation,
    /// The tunables.
    pub params: Params,
    /// The number of lines to search and report (MultiPV).
    pub multipv: usize,
    /// The limits of the search.
    pub limits: Limits,
    /// The handle for stopping the search.
    pub control: &'a Control,
    /// When to pause an unfinished search; `None` to run without pausing.
    pub pause: Option<Instant>,
}

/// Searches with all threads of a pool until a limit is reached or a stop is requested. `sink`
/// receives [`Info`] updates during the search; it is not called if the game is over.
///
/// Returns `None` if the search pauses first; another call with the same game, limits and `resume`
/// state continues it.
pub fn think<R: Rules>(
    job: Job<R>,
    pool: &mut ThreadPool,
    resume: &mut ResumeState<BitMove<R::Geometry>>,
    sink: Sink<'_, R>,
) -> Option<SearchResult<BitMove<R::Geometry>>> {
    let start = Instant::now();
    let moves = movegen::legal_moves(job.game.position());
    let info = match moves.is_empty() {
        true => finished(job.game.position().rules(), start),
        false => best_line(&job, pool, start, resume, &moves, sink)?,
    };
    let ponder = ponder_move(job.game, job.tt, &info.pv);
    Some(SearchResult { mv: info.pv.first().copied(), ponder, info })
}

/// The best line of a position that has legal moves: from the bitbases if they determine it
/// completely, else from a search.
fn best_line<R: Rules>(
    job: &Job<R>,
    pool: &mut ThreadPool,
    start: Instant,
    resume: &mut ResumeState<BitMove<R::Geometry>>,
    moves: &MoveList<R::Geometry>,
    sink: Sink<'_, R>,
) -> Option<BitInfo<R>> {
    let plan = RootPlan::new(job.game, job.bitbases, moves);
    if let Some(mut lines) = plan.lines(job.game, job.multipv) {
        let time = start.elapsed();
        for line in &mut lines {
            line.time = time;
            sink(line);
        }
        return Some(lines.swap_remove(0));
    }
    let sink_scored = &mut |info: &BitInfo<R>| sink(&plan.with_bitbase_score(info));
    let best = search(job, pool, start, resume, &plan, sink_scored)?;
    for line in plan.other_lines(job.multipv) {
        sink(&Info { time: best.time, ..line });
    }
    Some(plan.with_bitbase_score(&best))
}

/// Searches a position that has legal moves; only the main thread reports to the sink.
fn search<R: Rules>(
    job: &Job<R>,
    pool: &mut ThreadPool,
    start: Instant,
    resume: &mut ResumeState<BitMove<R::Geometry>>,
    plan: &RootPlan<R>,
    sink: Sink<'_, R>,
) -> Option<BitInfo<R>> {
    let moves = &plan.moves;
    let limits = &job.limits;
    let shared = &SharedState::new(pool.threads());
    let time = match &resume.0 {
        Some(saved) => saved.time.clone(),
        None => TimeManager::new(start, limits, game_phase(job.game), moves.len() == 1),
    };
    job.control.set_hard_limit(time.hard_limit());
    let time = time.until(job.pause);
    let stop = || StopConditions {
        control: job.control,
        time: time.clone(),
        nodes: limits.nodes.unwrap_or(u64::MAX),
        soft_nodes: limits.soft_nodes.unwrap_or(u64::MAX),
    };
    let max_depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    pool.run(
        |histories| {
            let worker = Worker::new(job, plan.bitbase_use, histories, stop(), shared, 0);
            let root = Root::new(worker, moves, job.multipv, sink);
            let info = root.iterative_deepening(resume, max_depth);
            shared.end();
            info
        },
        |thread, histories| {
            let worker = Worker::new(job, plan.bitbase_use, histories, stop(), shared, thread);
            Root::new(worker, moves, 1, &mut |_| {}).help();
        },
    )
}

/// Whether a finished search must withhold its result: a ponder search until the ponder-hit or a
/// stop; a search without limits until a stop, unless the game is over.
pub fn must_wait(limits: &Limits, control: &Control, is_over: bool) -> bool {
    let is_pondering = limits.mode == Mode::Ponder && control.ponder_hit_at().is_none();
    let is_endless = limits.is_infinite() && !is_over;
    !control.is_stopped() && (is_pondering || is_endless)
}

/// Sleeps until the result of a search [may be returned](must_wait).
pub fn wait_until_allowed(limits: &Limits, control: &Control, is_over: bool) {
    while must_wait(limits, control, is_over) {
        thread::sleep(WAIT_INTERVAL);
    }
}

/// The [`Info`] for a game that is over.
fn finished<R: Rules>(rules: R, start: Instant) -> BitInfo<R> {
    Info {
        rank: 1,
        depth: 0,
        mean_depth: 0.0,
        score: game_over(rules, 0),
        nodes: 0,
        time: start.elapsed(),
        pv: Vec::new(),
    }
}

/// The expected reply to the first move of a variation: the second move of the variation, or else
/// the hash move of the position after the first move.
fn ponder_move<R: Rules>(
    game: &BitGame<R>,
    tt: &TranspositionTable,
    pv: &[BitMove<R::Geometry>],
) -> Option<BitMove<R::Geometry>> {
    if pv.len() >= 2 {
        return pv.get(1).copied();
    }
    let next = game.position().after(*pv.first()?);
    let hash_move = tt.probe(next.key(), 1)?.mv?;
    movegen::legal_moves(&next).into_iter().find(|&mv| hash_move == mv.into())
}
