//! Running a match: starts the workers and collects the games they play.

use std::collections::HashSet;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use thiserror::Error;

use super::openings::{self, Opening, OpeningError};
use super::plan::MatchPlan;
use super::played::{GameSlot, PlayedGame};
use super::stats::SprtVerdict;
use super::tally::MatchTally;
use super::worker::{GameWorker, PairQueue, WorkerEvent};
use crate::runtime::interrupt::Interrupt;
use crate::runtime::log::LogError;

/// What has been played so far, in this run and in earlier ones.
#[derive(Clone, Debug)]
pub struct MatchProgress {
    /// The counts over all finished games.
    pub tally: MatchTally,
    /// The name each engine gives itself, by engine; `None` until it has been started in this run.
    pub identities: Vec<Option<String>>,
    /// The slots of the finished games.
    done: HashSet<GameSlot>,
}

impl MatchProgress {
    /// The progress of a match that has not begun.
    pub fn new(engines: usize) -> MatchProgress {
        MatchProgress {
            tally: MatchTally::new(engines),
            identities: vec![None; engines],
            done: HashSet::new(),
        }
    }

    /// Counts a game, unless it has been counted already.
    pub fn add(&mut self, played: &PlayedGame) {
        if self.done.insert(played.slot) {
            self.tally.add(played);
        }
    }
}

/// How a run has ended.
#[derive(Clone, PartialEq, Debug)]
pub struct RunEnding {
    /// Why it has ended.
    pub cause: Cause,
    /// Wall-clock time of the run.
    pub wall: Duration,
    /// Time spent on finished games, including engine starts, summed over all workers.
    pub busy: Duration,
    /// Thinking time of the engines in these games.
    pub thinking: Duration,
    /// Number of different openings; if there are more rounds, openings are repeated.
    pub openings: usize,
    /// Number of games left out of a file of openings.
    pub skipped_openings: usize,
}

/// Why a run has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// All games have been played.
    Complete,
    /// The sequential test has come to a verdict.
    Decided(SprtVerdict),
    /// The run was interrupted.
    Interrupted,
    /// Games are missing that others are to play.
    Incomplete,
    /// An engine cannot take part, or can no longer take part.
    Unsuitable {
        /// The name of the engine.
        name: String,
        /// Why it cannot play.
        what: String,
    },
}

/// Why a run has failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// The openings cannot be provided.
    #[error(transparent)]
    Openings(OpeningError),
    /// The log of a part cannot be used.
    #[error(transparent)]
    Log(LogError),
    /// A thread cannot be started, or the caller failed to keep a game.
    #[error(transparent)]
    System(io::Error),
}

/// Plays every game of the plan that is not yet in `progress`. Each game is passed to `keep` when
/// it is over.
///
/// # Errors
///
/// The match cannot go on. The games finished until then are in `progress`.
pub fn run(
    plan: &MatchPlan,
    progress: &mut MatchProgress,
    interrupt: &Interrupt,
    keep: &mut dyn FnMut(&PlayedGame, &MatchProgress) -> io::Result<()>,
) -> Result<RunEnding, RunError> {
    let drawn =
        openings::draw(plan.variant, &plan.openings, plan.random_plies, plan.seed, plan.rounds)
            .map_err(RunError::Openings)?;
    let begun = Instant::now();
    let before = progress.tally.thinking;
    let (cause, busy) = match plan.verdict(&progress.tally) {
        Some(verdict) => (Cause::Decided(verdict), Duration::ZERO), // in an earlier run
        None => Runner { plan, progress, interrupt, keep }.play(&drawn.openings)?,
    };
    let thinking = progress.tally.thinking - before;
    Ok(RunEnding {
        cause,
        wall: begun.elapsed(),
        busy,
        thinking: Duration::from_secs_f64(thinking.max(0.0)),
        openings: drawn.distinct,
        skipped_openings: drawn.skipped,
    })
}

struct Runner<'a> {
    plan: &'a MatchPlan,
    progress: &'a mut MatchProgress,
    interrupt: &'a Interrupt,
    keep: &'a mut dyn FnMut(&PlayedGame, &MatchProgress) -> io::Result<()>,
}

impl Runner<'_> {
    /// Plays at all workers. Returns why they have stopped, and the time spent on the games.
    fn play(&mut self, openings: &[Opening]) -> Result<(Cause, Duration), RunError> {
        let plan = self.plan;
        let queue = PairQueue::new(plan.schedule(), self.progress.done.clone());
        let (sender, events) = crossbeam_channel::unbounded();
        thread::scope(|scope| {
            for number in 0..plan.concurrency {
                let sender = sender.clone();
                let worker = GameWorker::new(plan, &queue, openings, self.interrupt, sender);
                worker.start(number, scope).map_err(|error| {
                    // Stops the workers that have already started.
                    self.interrupt.set();
                    RunError::System(error)
                })?;
            }
            drop(sender);
            self.collect(&events)
        })
    }

    /// Collects games until all workers have stopped. Returns why they have, and the time spent on
    /// the games.
    fn collect(&mut self, events: &Receiver<WorkerEvent>) -> Result<(Cause, Duration), RunError> {
        let mut result = Ok(Cause::Complete);
        let mut busy = Duration::ZERO;
        for event in events {
            match event {
                WorkerEvent::Identity(engine, identity) => {
                    self.progress.identities[engine] = Some(identity);
                }
                // Games that are still running when the match is decided do not count.
                _ if !matches!(result, Ok(Cause::Complete)) => {}
                WorkerEvent::Played(played, spent) => {
                    busy += spent;
                    match self.game(&played) {
                        Ok(None) => continue,
                        Ok(Some(verdict)) => result = Ok(Cause::Decided(verdict)),
                        Err(error) => result = Err(RunError::System(error)),
                    }
                }
                WorkerEvent::Unsuitable { name, what } => {
                    result = Ok(Cause::Unsuitable { name, what });
                }
            }
            if !matches!(result, Ok(Cause::Complete)) {
                self.interrupt.set();
            }
        }
        match result? {
            Cause::Complete if self.interrupt.is_set() => Ok((Cause::Interrupted, busy)),
            cause => Ok((cause, busy)),
        }
    }

    /// Counts and keeps a game. Returns the verdict of the sequential test if this game decides it.
    fn game(&mut self, played: &PlayedGame) -> io::Result<Option<SprtVerdict>> {
        self.progress.add(played);
        (self.keep)(played, self.progress)?;
        Ok(self.plan.verdict(&self.progress.tally))
    }
}
