//! Running a tuning: starts the tables, which play the games.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::arena::interrupt::Interrupt;
use crate::arena::openings::{self, Opening, OpeningError};

use super::hall::{Hall, TuneCause, TuneWatch};
use super::plan::TunePlan;
use super::table::TuneTable;
use super::tuner::Tuner;

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
    /// A thread cannot be started, or the caller failed to keep a step.
    #[error(transparent)]
    System(io::Error),
}

/// Plays the steps that the tuner has not applied yet. Everything that happens is passed to
/// `watch`.
///
/// # Errors
///
/// The tuning cannot go on. The steps applied until then are in `tuner`.
pub fn run<'a>(
    plan: &'a TunePlan,
    tuner: &'a mut Tuner,
    interrupt: &'a Interrupt,
    watch: &'a mut TuneWatch<'a>,
) -> Result<TuneEnding, TuneError> {
    let count = plan.tuner.length.all_pairs();
    let drawn =
        openings::draw(plan.variant, &plan.openings, plan.random_plies, plan.tuner.seed, count)
            .map_err(TuneError::Openings)?;
    let (begun, before) = (Instant::now(), tuner.ended_games());
    if tuner.is_finished() {
        let (cause, wall) = (TuneCause::Complete, Duration::ZERO); // in an earlier run
        return Ok(TuneEnding { cause, wall, games: 0 });
    }
    let (cause, games) = play(plan, &drawn.openings, Hall::new(tuner, watch, interrupt))
        .map_err(TuneError::System)?;
    Ok(TuneEnding { cause, wall: begun.elapsed(), games: games - before })
}

/// Plays at all tables. Returns why they have stopped, and the number of games that have ended.
fn play(plan: &TunePlan, openings: &[Opening], hall: Hall<'_>) -> io::Result<(TuneCause, u64)> {
    thread::scope(|scope| {
        (0..plan.concurrency).try_for_each(|number| {
            let table = TuneTable::new(plan, openings, &hall);
            table.start(number, scope).inspect_err(|_| hall.stop())
        })
    })?;
    hall.end()
}
