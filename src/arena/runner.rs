//! Running a match: tables that play pairs of games at the same time, and the loop that collects
//! what they have played.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crossbeam_channel::{Receiver, Sender};

use crate::notation::fen;
use crate::rules::{Rules, VariantVisitor};

use super::client::Occasion;
use super::interrupt::Interrupt;
use super::openings::{self, Opening, OpeningError};
use super::plan::Plan;
use super::played::{Played, Slot};
use super::referee::{self, Abandoned, Finished};
use super::schedule::Schedule;
use super::seat::Seat;
use super::stats::Verdict;
use super::tally::Tally;

/// What has been played so far, in this run and in earlier ones.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The count of everything.
    pub tally: Tally,
    /// What each engine says it is, as far as it was started in this run.
    pub identities: Vec<Option<String>>,
    /// The places of the finished games.
    done: HashSet<Slot>,
}

impl Progress {
    /// Nothing has been played.
    pub fn new(engines: usize) -> Progress {
        Progress {
            tally: Tally::new(engines),
            identities: vec![None; engines],
            done: HashSet::new(),
        }
    }

    /// Counts a game, once.
    pub fn add(&mut self, played: &Played) {
        if self.done.insert(played.slot) {
            self.tally.add(played);
        }
    }
}

/// How a run has ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Ending {
    /// Why.
    pub cause: Cause,
    /// How long it took.
    pub wall: Duration,
    /// How long finished games took, with everything around them, added over all tables.
    pub busy: Duration,
    /// How long engines thought in these games.
    pub thinking: Duration,
    /// How many openings there are; more rounds than that repeat them.
    pub openings: usize,
}

/// Why a run has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// All games have been played.
    Complete,
    /// The sequential test has come to a verdict.
    Decided(Verdict),
    /// It was interrupted.
    Interrupted,
    /// An engine cannot take part, or not any longer.
    Unsuitable {
        /// The engine.
        name: String,
        /// Why.
        what: String,
    },
}

/// Why a run has failed.
#[derive(Debug)]
pub enum RunError {
    /// There are no openings as wished.
    Openings(OpeningError),
    /// A thread cannot be started, or the caller could not keep a game.
    System(io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Openings(error) => error.fmt(f),
            RunError::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

/// Plays everything of the plan that is not yet in `progress`. Each game is given to `keep` when it
/// is over.
///
/// # Errors
///
/// The match cannot go on. What was played before is in `progress`.
pub fn run(
    plan: &Plan,
    progress: &mut Progress,
    interrupt: &Interrupt,
    keep: &mut dyn FnMut(&Played, &Progress) -> io::Result<()>,
) -> Result<Ending, RunError> {
    plan.variant.visit(Runner { plan, progress, interrupt, keep })
}

struct Runner<'a> {
    plan: &'a Plan,
    progress: &'a mut Progress,
    interrupt: &'a Interrupt,
    keep: &'a mut dyn FnMut(&Played, &Progress) -> io::Result<()>,
}

/// What a table tells.
enum News {
    Identity(usize, String),
    /// A game, and how long its table has spent on it.
    Played(Box<Played>, Duration),
    Unsuitable {
        name: String,
        what: String,
    },
}

impl VariantVisitor for Runner<'_> {
    type Output = Result<Ending, RunError>;

    fn visit<R: Rules>(mut self) -> Self::Output {
        let plan = self.plan;
        let drawn = openings::draw::<R>(&plan.openings, plan.random_plies, plan.seed, plan.rounds)
            .map_err(RunError::Openings)?;
        let begun = Instant::now();
        let before = self.progress.tally.thinking;
        let (cause, busy) = match plan.verdict(&self.progress.tally) {
            Some(verdict) => (Cause::Decided(verdict), Duration::ZERO), // in an earlier run
            None => self.play(&drawn.openings)?,
        };
        let thinking = self.progress.tally.thinking - before;
        Ok(Ending {
            cause,
            wall: begun.elapsed(),
            busy,
            thinking: Duration::from_secs_f64(thinking.max(0.0)),
            openings: drawn.distinct,
        })
    }
}

impl Runner<'_> {
    /// Plays at all tables: why that has ended, and how long the games took.
    fn play<R: Rules>(&mut self, openings: &[Opening<R>]) -> Result<(Cause, Duration), RunError> {
        let plan = self.plan;
        let queue = Queue {
            next: AtomicUsize::new(0),
            done: self.progress.done.clone(),
            schedule: plan.schedule(),
        };
        let (sender, news) = crossbeam_channel::unbounded();
        thread::scope(|scope| {
            for table in 0..plan.concurrency {
                let table = Table {
                    plan,
                    queue: &queue,
                    openings,
                    interrupt: self.interrupt,
                    news: sender.clone(),
                    seats: seats(plan, self.interrupt),
                    number: table,
                };
                table.start(scope).map_err(|error| {
                    // The tables that have started are not to play on.
                    self.interrupt.set();
                    RunError::System(error)
                })?;
            }
            drop(sender);
            self.collect(&news)
        })
    }

    /// Collects games until all tables have closed: why they have, and how long the games took.
    fn collect(&mut self, news: &Receiver<News>) -> Result<(Cause, Duration), RunError> {
        let mut result = Ok(Cause::Complete);
        let mut busy = Duration::ZERO;
        for news in news {
            match news {
                News::Identity(engine, identity) => {
                    self.progress.identities[engine] = Some(identity);
                }
                // What is still played when the end is decided does not count.
                _ if !matches!(result, Ok(Cause::Complete)) => {}
                News::Played(played, spent) => {
                    busy += spent;
                    match self.game(&played) {
                        Ok(None) => continue,
                        Ok(Some(verdict)) => result = Ok(Cause::Decided(verdict)),
                        Err(error) => result = Err(RunError::System(error)),
                    }
                }
                News::Unsuitable { name, what } => {
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

    /// Takes a game; the verdict of the sequential test, if this is it.
    fn game(&mut self, played: &Played) -> io::Result<Option<Verdict>> {
        self.progress.add(played);
        (self.keep)(played, self.progress)?;
        Ok(self.plan.verdict(&self.progress.tally))
    }
}

/// An engine of each kind for one table.
fn seats(plan: &Plan, interrupt: &Interrupt) -> Vec<Seat> {
    let occasion = Occasion { variant: plan.variant, interrupt: interrupt.clone() };
    let seat = |engine: &super::plan::Engine| {
        Seat::new(engine.spec.clone(), engine.time_control, occasion.clone())
    };
    plan.engines.iter().map(seat).collect()
}

/// The pairs still to play.
struct Queue {
    schedule: Schedule,
    /// The games that were finished in an earlier run.
    done: HashSet<Slot>,
    next: AtomicUsize,
}

impl Queue {
    /// The games of the next pair and the index of their opening; `None` when all are given out.
    fn next(&self) -> Option<(usize, Vec<Slot>)> {
        loop {
            let pair = self.schedule.pair(self.next.fetch_add(1, Ordering::Relaxed))?;
            let slots = pair.slots().into_iter().filter(|slot| !self.done.contains(slot));
            let slots: Vec<_> = slots.collect();
            if !slots.is_empty() {
                return Some((pair.round, slots));
            }
        }
    }
}

/// Where one game is played at a time.
struct Table<'a, R: Rules> {
    plan: &'a Plan,
    queue: &'a Queue,
    openings: &'a [Opening<R>],
    interrupt: &'a Interrupt,
    news: Sender<News>,
    seats: Vec<Seat>,
    number: usize,
}

impl<'a, R: Rules> Table<'a, R> {
    fn start<'scope>(mut self, scope: &'scope thread::Scope<'scope, 'a>) -> io::Result<()> {
        let name = format!("table {}", self.number + 1);
        thread::Builder::new().name(name).spawn_scoped(scope, move || {
            self.play_pairs();
            self.seats.iter_mut().for_each(Seat::leave);
        })?;
        Ok(())
    }

    fn play_pairs(&mut self) {
        let mut begun = Instant::now();
        while let Some((round, slots)) = self.queue.next() {
            for slot in slots {
                if self.interrupt.is_set() {
                    return;
                }
                let Some(played) = self.play(slot, &self.openings[round]) else { return };
                self.introduce(slot);
                let now = Instant::now();
                let _ = self.news.send(News::Played(Box::new(played), now - begun));
                begun = now;
            }
        }
    }

    /// Plays a game; `None` if it has no result.
    fn play(&mut self, slot: Slot, opening: &Opening<R>) -> Option<Played> {
        let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let Ok([white, black]) = self.seats.get_disjoint_mut([slot.white, slot.black]) else {
            unreachable!("a schedule has two different engines for each game");
        };
        match referee::play([white, black], opening, &self.plan.conditions) {
            Ok(finished) => Some(record(slot, date, opening, finished)),
            Err(Abandoned::Interrupted) => None,
            Err(Abandoned::Unsuitable(side, what)) => {
                let name = self.plan.engines[slot.engine(side)].name.clone();
                // The collector waits for all tables.
                let _ = self.news.send(News::Unsuitable { name, what });
                None
            }
        }
    }

    /// Tells who the engines say they are.
    fn introduce(&self, slot: Slot) {
        for engine in [slot.white, slot.black] {
            if let Some(identity) = self.seats[engine].identity() {
                let _ = self.news.send(News::Identity(engine, identity.to_owned()));
            }
        }
    }
}

/// The record of a finished game.
fn record<R: Rules>(slot: Slot, date: String, opening: &Opening<R>, finished: Finished) -> Played {
    Played {
        slot,
        date,
        opening: opening.name.clone(),
        fen: fen::format(opening.game.start()),
        opening_plies: opening.game.moves().len(),
        winner: finished.winner.map(Into::into),
        reason: finished.reason,
        detail: finished.detail,
        seconds: finished.time.as_secs_f64(),
        moves: finished.moves,
    }
}
