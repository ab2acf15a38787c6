//! Running a tuning: hands out pairs of games to tables, and applies finished steps.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use thiserror::Error;

use crate::arena::interrupt::Interrupt;
use crate::arena::openings::{self, Opening, OpeningError};
use crate::arena::referee::Abandoned;

use super::plan::TunePlan;
use super::table::{TableEvent, TuneTable};
use super::tuner::{AppliedStep, PairResult, PairTask, Tuner};

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

/// Why a run has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TuneCause {
    /// All steps have been applied.
    Complete,
    /// The run was interrupted.
    Interrupted,
    /// More pairs than [`most_faults`] allows were lost to faults of the engine.
    Faults,
    /// The engine cannot play, or can no longer play: why.
    Unsuitable(String),
}

/// What happens during a run.
#[derive(Clone, Copy, Debug)]
pub enum TuneEvent<'a> {
    /// A pair has ended.
    Pair(&'a PairResult),
    /// A step has been applied.
    Step(&'a AppliedStep),
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

/// The most faulty pairs in a run that has ended this number of games: ten, and one game in 100.
pub fn most_faults(games: u64) -> u64 {
    10 + games / 100
}

/// Plays the steps that the tuner has not applied yet. Everything that happens is passed to
/// `watch`.
///
/// # Errors
///
/// The tuning cannot go on. The steps applied until then are in `tuner`.
pub fn run(
    plan: &TunePlan,
    tuner: &mut Tuner,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(TuneEvent<'_>, &Tuner) -> io::Result<()>,
) -> Result<TuneEnding, TuneError> {
    let count = plan.tuner.length.all_pairs();
    let drawn =
        openings::draw(plan.variant, &plan.openings, plan.random_plies, plan.tuner.seed, count)
            .map_err(TuneError::Openings)?;
    let (begun, before) = (Instant::now(), tuner.ended_games());
    let cause = match tuner.is_finished() {
        true => TuneCause::Complete,
        false => Runner { plan, tuner, interrupt, watch, faults: 0 }.play(&drawn.openings)?,
    };
    Ok(TuneEnding { cause, wall: begun.elapsed(), games: tuner.ended_games() - before })
}

struct Runner<'a> {
    plan: &'a TunePlan,
    tuner: &'a mut Tuner,
    interrupt: &'a Interrupt,
    watch: &'a mut dyn FnMut(TuneEvent<'_>, &Tuner) -> io::Result<()>,
    /// Faulty pairs of this run.
    faults: u64,
}

impl Runner<'_> {
    /// Plays at all tables. Returns why they have stopped.
    fn play(&mut self, openings: &[Opening]) -> Result<TuneCause, TuneError> {
        let plan = self.plan;
        let (tasks, queue) = crossbeam_channel::unbounded();
        let (sender, events) = crossbeam_channel::unbounded();
        thread::scope(|scope| {
            for number in 0..plan.concurrency {
                let (queue, sender) = (queue.clone(), sender.clone());
                let table = TuneTable::new(plan, openings, self.interrupt, queue, sender);
                table.start(number, scope).map_err(|error| {
                    // Stops the tables that have already started.
                    self.interrupt.set();
                    TuneError::System(error)
                })?;
            }
            drop((queue, sender));
            self.conduct(tasks, &events).map_err(TuneError::System)
        })
    }

    /// Hands out pairs and takes their results until all tables have stopped, which they do when
    /// there are no more tasks. Returns why.
    fn conduct(
        &mut self,
        tasks: Sender<PairTask>,
        events: &Receiver<TableEvent>,
    ) -> io::Result<TuneCause> {
        let mut tasks = Some(tasks);
        let mut result = Ok(TuneCause::Complete);
        self.hand_out(tasks.as_ref());
        for event in events {
            // Pairs that are still being played when the run ends early do not count.
            if !matches!(result, Ok(TuneCause::Complete)) {
                continue;
            }
            result = self.take(event);
            match result {
                Ok(TuneCause::Complete) if !self.tuner.is_finished() => {
                    self.hand_out(tasks.as_ref());
                }
                Ok(TuneCause::Complete) => tasks = None,
                _ => {
                    self.interrupt.set();
                    tasks = None;
                }
            }
        }
        result
    }

    fn hand_out(&mut self, tasks: Option<&Sender<PairTask>>) {
        while let Some((tasks, task)) = tasks.zip(self.tuner.next_pair()) {
            // Tables end before their tasks do only if the run ends.
            let _ = tasks.send(task);
        }
    }

    /// Takes what a table reports. Returns why the run ends, `Complete` if the event does not end
    /// it.
    fn take(&mut self, event: TableEvent) -> io::Result<TuneCause> {
        let (index, result) = match event {
            TableEvent::Stopped(Abandoned::Interrupted) => return Ok(TuneCause::Interrupted),
            TableEvent::Stopped(Abandoned::Unsuitable(_, what)) => {
                return Ok(TuneCause::Unsuitable(what));
            }
            TableEvent::Ended(index, result) => (index, result),
        };
        self.tuner.end_pair(index, &result);
        self.faults += u64::from(matches!(result, PairResult::Faulty(_)));
        (self.watch)(TuneEvent::Pair(&result), self.tuner)?;
        while let Some(step) = self.tuner.apply() {
            (self.watch)(TuneEvent::Step(&step), self.tuner)?;
        }
        match self.faults > most_faults(self.tuner.ended_games()) {
            true => Ok(TuneCause::Faults),
            false => Ok(TuneCause::Complete),
        }
    }
}
