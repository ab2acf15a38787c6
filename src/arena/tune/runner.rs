//! Running a tuning: starts the workers, which play the games.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::arena::openings::{self, Opening, OpeningError};
use crate::runtime::interrupt::Interrupt;
use crate::runtime::log::LogError;

use super::plan::TunePlan;
use super::queue::{TuneCause, TuneQueue, TuneWatch};
use super::share_logs::ShareLogs;
use super::tuner::Tuner;
use super::worker::TuneWorker;

/// How a run has ended.
#[derive(Clone, PartialEq, Debug)]
pub struct TuneEnding {
    /// Why it has ended.
    pub cause: TuneCause,
    /// Wall-clock time of the run.
    pub wall: Duration,
    /// The number of games that have ended in this run.
    pub games: u64,
}

/// Why a run has failed.
#[derive(Debug, Error)]
pub enum TuneError {
    /// The openings cannot be provided.
    #[error(transparent)]
    Openings(OpeningError),
    /// A log of others cannot be used.
    #[error(transparent)]
    Log(LogError),
    /// A thread cannot be started, or the caller failed to keep a step.
    #[error(transparent)]
    System(io::Error),
}

/// Plays the steps that the tuner has not applied yet. Where others play a share, whose `logs` are
/// given, it ends when it depends on them what is played next. Everything that happens is passed to
/// `watch`.
///
/// # Errors
///
/// The tuning cannot go on. The steps applied until then are in `tuner`.
pub fn run<'a>(
    plan: &'a TunePlan,
    tuner: &'a mut Tuner,
    mut logs: Option<&mut ShareLogs>,
    interrupt: &'a Interrupt,
    watch: &'a mut TuneWatch<'a>,
) -> Result<TuneEnding, TuneError> {
    let count = plan.tuner.length.all_pairs();
    let drawn =
        openings::draw(plan.variant, &plan.openings, plan.random_plies, plan.tuner.seed, count)
            .map_err(TuneError::Openings)?;
    if tuner.is_finished() {
        let (cause, wall) = (TuneCause::Complete, Duration::ZERO); // in an earlier run
        return Ok(TuneEnding { cause, wall, games: 0 });
    }
    let (begun, mut games) = (Instant::now(), 0);
    loop {
        if let Some(logs) = &mut logs {
            logs.read(tuner).map_err(TuneError::Log)?;
        }
        let queue = TuneQueue::new(tuner, watch, interrupt);
        let (cause, pairs) = play(plan, &drawn.openings, queue).map_err(TuneError::System)?;
        games += 2 * pairs;
        // While this process was playing, others may have ended more.
        if cause != TuneCause::Waiting || pairs == 0 {
            return Ok(TuneEnding { cause, wall: begun.elapsed(), games });
        }
    }
}

/// Plays at all workers. Returns why they have stopped, and the number of pairs that have ended.
fn play(
    plan: &TunePlan,
    openings: &[Opening],
    queue: TuneQueue<'_>,
) -> io::Result<(TuneCause, u64)> {
    thread::scope(|scope| {
        (0..plan.concurrency).try_for_each(|number| {
            let worker = TuneWorker::new(plan, openings, &queue);
            worker.start(number, scope).inspect_err(|_| queue.stop())
        })
    })?;
    queue.end()
}
