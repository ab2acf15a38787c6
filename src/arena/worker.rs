//! A worker: a thread that plays one game at a time, with engines of its own.

use std::collections::HashSet;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crossbeam_channel::Sender;

use crate::notation::fen;

use super::client::MatchContext;
use super::engine_handle::EngineHandle;
use super::openings::Opening;
use super::plan::{MatchPlan, Participant};
use super::played::{GameSlot, PlayedGame};
use super::referee::{self, Abandoned, DecidedGame};
use super::schedule::Schedule;
use crate::runtime::interrupt::Interrupt;

/// What a worker reports to the runner.
pub(super) enum WorkerEvent {
    /// An engine, by index, and the name it gives itself.
    Identity(usize, String),
    /// A finished game, and the time the worker has spent on it.
    Played(Box<PlayedGame>, Duration),
    /// An engine that cannot take part, and why.
    Unsuitable { name: String, what: String },
}

/// The pairs still to be played, shared by all workers.
pub(super) struct PairQueue {
    schedule: Schedule,
    /// The games finished in earlier runs.
    done: HashSet<GameSlot>,
    next: AtomicUsize,
}

impl PairQueue {
    /// All pairs of a schedule, without the games that are `done`.
    pub(super) fn new(schedule: Schedule, done: HashSet<GameSlot>) -> PairQueue {
        PairQueue { next: AtomicUsize::new(schedule.pairs().start), schedule, done }
    }

    /// The games of the next pair and the index of their opening; `None` if no pair is left.
    fn next(&self) -> Option<(usize, Vec<GameSlot>)> {
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

/// A worker of a match.
pub(super) struct GameWorker<'a> {
    plan: &'a MatchPlan,
    queue: &'a PairQueue,
    openings: &'a [Opening],
    interrupt: &'a Interrupt,
    events: Sender<WorkerEvent>,
    /// A engine for each engine of the match.
    engines: Vec<EngineHandle>,
}

impl<'a> GameWorker<'a> {
    /// A worker whose engines have not been started.
    pub(super) fn new(
        plan: &'a MatchPlan,
        queue: &'a PairQueue,
        openings: &'a [Opening],
        interrupt: &'a Interrupt,
        events: Sender<WorkerEvent>,
    ) -> GameWorker<'a> {
        let context = MatchContext { variant: plan.variant, interrupt: interrupt.clone() };
        let handle = |engine: &Participant| {
            EngineHandle::new(engine.spec.clone(), engine.time_control, context.clone())
        };
        let engines = plan.engines.iter().map(handle).collect();
        GameWorker { plan, queue, openings, interrupt, events, engines }
    }

    /// Starts the thread, which plays until the queue is empty or the match is interrupted.
    ///
    /// # Errors
    ///
    /// The system refuses the thread.
    pub(super) fn start<'scope>(
        mut self,
        number: usize,
        scope: &'scope thread::Scope<'scope, 'a>,
    ) -> io::Result<()> {
        let name = format!("worker {}", number + 1);
        thread::Builder::new().name(name).spawn_scoped(scope, move || {
            self.play_pairs();
            self.engines.iter_mut().for_each(EngineHandle::quit);
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
                self.report_identities(slot);
                let now = Instant::now();
                let _ = self.events.send(WorkerEvent::Played(Box::new(played), now - begun));
                begun = now;
            }
        }
    }

    /// Plays a game; `None` if it has no result.
    fn play(&mut self, slot: GameSlot, opening: &Opening) -> Option<PlayedGame> {
        let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let Ok([white, black]) = self.engines.get_disjoint_mut([slot.white, slot.black]) else {
            unreachable!("a schedule has two different engines for each game");
        };
        match referee::play([white, black], opening, &self.plan.conditions) {
            Ok(finished) => Some(record(slot, date, opening, finished)),
            Err(Abandoned::Interrupted) => None,
            Err(Abandoned::Unsuitable(side, what)) => {
                let name = self.plan.engines[slot.engine(side)].name.clone();
                // The receiver outlives all workers, so sending cannot fail.
                let _ = self.events.send(WorkerEvent::Unsuitable { name, what });
                None
            }
        }
    }

    /// Reports the names that the engines of a game give themselves.
    fn report_identities(&self, slot: GameSlot) {
        for engine in [slot.white, slot.black] {
            if let Some(identity) = self.engines[engine].identity() {
                let _ = self.events.send(WorkerEvent::Identity(engine, identity.to_owned()));
            }
        }
    }
}

/// The record of a finished game.
fn record(slot: GameSlot, date: String, opening: &Opening, finished: DecidedGame) -> PlayedGame {
    PlayedGame {
        slot,
        date,
        opening: opening.name.clone(),
        fen: fen::format(opening.game.start()),
        opening_plies: opening.game.plies(),
        winner: finished.winner,
        reason: finished.reason,
        detail: finished.detail,
        seconds: finished.time.as_secs_f64(),
        moves: finished.moves,
    }
}
