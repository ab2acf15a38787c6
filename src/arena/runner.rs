//! Runs a match: plays its games on several threads.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use thiserror::Error;

use crate::erased::Bitbases;
use crate::notation::fen;
use crate::runtime::interrupt::Interrupt;
use crate::runtime::log::LogError;
use crate::runtime::machine;

use super::client::transcript::Direction;
use super::client::{EngineHandle, MatchContext};
use super::openings::{self, Opening, OpeningError, OpeningSequence};
use super::plan::MatchPlan;
use super::played::{GameSlot, PlayedGame};
use super::referee::{self, Abandoned, DecidedGame, GameUpdate};
use super::schedule::{GamePair, NextPair, Schedule};
use super::stats::SprtVerdict;
use super::tally::MatchTally;
use super::workers::{NextTask, TaskPlayer, TaskQueue, play_all};

/// The progress of a match: the games finished in this run and in earlier runs.
#[derive(Clone, Debug)]
pub struct MatchProgress {
    /// The counts over all finished games.
    pub tally: MatchTally,
    /// The name that each engine reported in its last game, by engine index; `None` before that.
    pub identities: Vec<Option<String>>,
    /// The slots of the finished games.
    done: HashSet<GameSlot>,
    /// The bitbases for scoring games.
    bitbases: Arc<Bitbases>,
}

impl MatchProgress {
    /// The progress of a match that has not started. The bitbases for scoring games are those that
    /// end games, or else the built-in ones.
    pub fn new(plan: &MatchPlan) -> MatchProgress {
        let engines = plan.engines.len();
        let embedded = || Arc::new(Bitbases::embedded(plan.variant));
        MatchProgress {
            tally: MatchTally::new(engines),
            identities: vec![None; engines],
            done: HashSet::new(),
            bitbases: plan.conditions.bitbases.clone().unwrap_or_else(embedded),
        }
    }

    /// Counts a game, unless it has already been counted.
    pub fn add(&mut self, played: &PlayedGame) {
        if self.done.insert(played.slot) {
            self.tally.add(played, played.winner_by_bitbases(&self.bitbases));
            self.identify(played);
        }
    }

    /// Notes the names of the engines. One that was killed after a fault reports none; its known
    /// name is kept.
    fn identify(&mut self, played: &PlayedGame) {
        let [white, black] = &played.identities;
        for (engine, name) in [(played.slot.white, white), (played.slot.black, black)] {
            if !name.is_empty() {
                self.identities[engine] = Some(name.clone());
            }
        }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub struct RunEnding {
    /// Why the run ended.
    pub cause: Cause,
    /// Wall-clock time of the run.
    pub wall: Duration,
    /// Time spent on the games finished in this run, including engine starts, summed over all
    /// threads.
    pub busy: Duration,
    /// Total thinking time of the engines in the games finished in this run.
    pub thinking: Duration,
    /// Number of different openings. Openings are repeated if there are more rounds than openings.
    pub openings: usize,
    /// Number of games left out of a file of openings.
    pub skipped_openings: usize,
}

impl RunEnding {
    /// The ending of a run that ends now and has played no games.
    pub(super) fn new(cause: Cause, start: Instant, sequence: &OpeningSequence) -> RunEnding {
        RunEnding {
            cause,
            wall: start.elapsed(),
            busy: Duration::ZERO,
            thinking: Duration::ZERO,
            openings: sequence.distinct,
            skipped_openings: sequence.skipped,
        }
    }
}

/// Why a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// All games have been played.
    Complete,
    /// The sequential test is decided.
    Decided(SprtVerdict),
    /// The run was interrupted.
    Interrupted,
    /// Games that other processes play are still missing.
    Incomplete,
    /// An engine cannot play, or can no longer play.
    Unsuitable {
        /// The name of the engine.
        name: String,
        /// Why it cannot play.
        what: String,
    },
}

/// Why a run failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// The openings cannot be provided.
    #[error(transparent)]
    Openings(OpeningError),
    /// The log of a part cannot be used.
    #[error(transparent)]
    Log(LogError),
    /// A thread cannot be started, or a game cannot be recorded.
    #[error(transparent)]
    System(io::Error),
}

/// A callback that records each counted game, given the game and the progress of the match after
/// it.
pub type GameRecorder<'a> = dyn FnMut(&PlayedGame, &MatchProgress) -> io::Result<()> + Send + 'a;

/// Observes the games of a match, which are played on several threads. Calls must return quickly:
/// no clock runs during a call, but the game cannot continue.
pub trait MatchObserver: Sync {
    /// A game has started, or a move has been played in it.
    fn update(&self, slot: GameSlot, opening: &Opening, update: &GameUpdate<'_>);
}

/// An observer that ignores all updates.
impl MatchObserver for () {
    fn update(&self, _: GameSlot, _: &Opening, _: &GameUpdate<'_>) {}
}

/// Plays every game of the plan that is not yet in `progress`. Passes each move to `observer`, and
/// each finished game to `record`.
///
/// # Errors
///
/// The match cannot continue. The games finished before the failure are kept in `progress`.
pub fn run(
    plan: &MatchPlan,
    progress: &mut MatchProgress,
    interrupt: &Interrupt,
    observer: &dyn MatchObserver,
    record: &mut GameRecorder<'_>,
) -> Result<RunEnding, RunError> {
    let sequence = openings(plan)?;
    let start = Instant::now();
    let before = progress.tally.thinking;
    let (cause, busy) = match plan.verdict(&progress.tally) {
        Some(verdict) => (Cause::Decided(verdict), Duration::ZERO), // decided in an earlier run
        None => {
            let machine = machine::description();
            let openings = &sequence.openings;
            let player = MatchPlayer { plan, openings, interrupt, observer, machine };
            play(&player, progress, record)?
        }
    };
    let thinking = Duration::from_secs_f64((progress.tally.thinking - before).max(0.0));
    Ok(RunEnding { busy, thinking, ..RunEnding::new(cause, start, &sequence) })
}

/// The openings of a match.
pub(super) fn openings(plan: &MatchPlan) -> Result<OpeningSequence, RunError> {
    openings::draw(
        plan.variant,
        &plan.openings,
        plan.random_plies,
        plan.seed,
        plan.schedule().openings(),
    )
    .map_err(RunError::Openings)
}

/// Plays games on all threads. Returns why the threads stopped, and the time spent on finished
/// games.
fn play(
    player: &MatchPlayer<'_>,
    progress: &mut MatchProgress,
    record: &mut GameRecorder<'_>,
) -> Result<(Cause, Duration), RunError> {
    let &MatchPlayer { plan, interrupt, .. } = player;
    let (schedule, busy) = (plan.schedule(), Duration::ZERO);
    let mut queue = MatchQueue { plan, schedule, progress, record, busy };
    let end = play_all(&mut queue, player, plan.concurrency, interrupt);
    let cause = match end.map_err(RunError::System)? {
        Some(cause) => cause,
        None if interrupt.is_set() => Cause::Interrupted,
        None => Cause::Complete,
    };
    Ok((cause, queue.busy))
}

/// The task queue: the pairs still to be played, and the counts of finished games.
struct MatchQueue<'a, 'b> {
    plan: &'a MatchPlan,
    schedule: Schedule,
    progress: &'a mut MatchProgress,
    record: &'a mut GameRecorder<'b>,
    /// The time spent on finished games, summed over all threads.
    busy: Duration,
}

/// The games of a pair that are still to be played.
struct PairGames {
    pair: GamePair,
    slots: Vec<GameSlot>,
}

/// A finished game.
struct GameOutcome {
    played: PlayedGame,
    /// Time spent on the game, including engine starts.
    time: Duration,
}

impl TaskQueue for MatchQueue<'_, '_> {
    type Task = PairGames;
    type Outcome = GameOutcome;
    type End = Cause;

    fn next(&mut self) -> io::Result<NextTask<PairGames>> {
        loop {
            let pair = match self.schedule.next(&self.progress.tally.pair_results) {
                NextPair::Play(pair) => pair,
                NextPair::Wait => return Ok(NextTask::Wait),
                NextPair::Over => return Ok(NextTask::Stop),
            };
            if self.plan.pairing_verdict(&self.progress.tally, pair.pairing()).is_some() {
                continue;
            }
            let slots = pair.slots().into_iter().filter(|slot| !self.progress.done.contains(slot));
            let slots: Vec<_> = slots.collect();
            if !slots.is_empty() {
                return Ok(NextTask::Play(PairGames { pair, slots }));
            }
        }
    }

    fn add(&mut self, outcome: GameOutcome) -> io::Result<Option<Cause>> {
        let GameOutcome { played, time } = outcome;
        self.busy += time;
        let verdict = count(self.plan, self.progress, self.record, &played)?;
        Ok(verdict.map(Cause::Decided))
    }
}

/// Counts and records a game. Returns the verdict of the sequential test if this game decides it.
pub(super) fn count(
    plan: &MatchPlan,
    progress: &mut MatchProgress,
    record: &mut GameRecorder<'_>,
    played: &PlayedGame,
) -> io::Result<Option<SprtVerdict>> {
    progress.add(played);
    record(played, progress)?;
    Ok(plan.verdict(&progress.tally))
}

/// Plays the games of a match, with one process of each engine per thread.
struct MatchPlayer<'a> {
    plan: &'a MatchPlan,
    openings: &'a [Opening],
    interrupt: &'a Interrupt,
    observer: &'a dyn MatchObserver,
    /// The description of the machine, for the records of games.
    machine: String,
}

impl TaskPlayer<MatchQueue<'_, '_>> for MatchPlayer<'_> {
    fn engines(&self, worker: usize) -> Vec<EngineHandle> {
        let context = MatchContext {
            cores: self.plan.cores.get(worker).cloned(),
            transcript: self.plan.transcript.clone(),
            ..MatchContext::new(self.plan.variant, self.interrupt.clone())
        };
        let engines = self.plan.engines.iter();
        engines.map(|engine| EngineHandle::new(engine, context.clone())).collect()
    }

    fn play(
        &self,
        task: PairGames,
        engines: &mut [EngineHandle],
        add: &mut dyn FnMut(GameOutcome),
    ) -> Result<(), Option<Cause>> {
        let opening = &self.openings[task.pair.opening];
        let mut start = Instant::now();
        for slot in task.slots {
            if self.interrupt.is_set() {
                return Err(None);
            }
            let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
            let Ok([white, black]) = engines.get_disjoint_mut([slot.white, slot.black]) else {
                unreachable!("a schedule has two different engines for each game");
            };
            let mut on_update =
                |update: &GameUpdate<'_>| self.observer.update(slot, opening, update);
            let round = task.pair.round(slot.game);
            note(white, black, &slot.number(round.as_deref()), &opening.name);
            let conditions = &self.plan.conditions;
            let game = referee::play([white, black], opening, conditions, &mut on_update)
                .map_err(|abandoned| self.end(slot, abandoned))?;
            let [white, black] = [slot.white, slot.black].map(|engine| &engines[engine]);
            let names = [white, black].map(EngineHandle::identity);
            let played = PlayedGame {
                round,
                identities: names.map(|name| name.unwrap_or_default().to_owned()),
                machine: self.machine.clone(),
                ..played(slot, date, opening, game)
            };
            let result = format!("{}, {}", played.points(), played.ending());
            [white, black].into_iter().for_each(|engine| remark(engine, &result));
            add(GameOutcome { played, time: start.elapsed() });
            start = Instant::now();
        }
        Ok(())
    }
}

impl MatchPlayer<'_> {
    /// The reason for ending the match after a game without a result; `None` if the match was
    /// interrupted.
    fn end(&self, slot: GameSlot, abandoned: Abandoned) -> Option<Cause> {
        match abandoned {
            Abandoned::Interrupted => None,
            Abandoned::Unsuitable(side, what) => {
                let name = self.plan.engines[slot.engine(side)].name.clone();
                Some(Cause::Unsuitable { name, what })
            }
        }
    }
}

/// Records the start of a game in the transcript, if there is one.
fn note(white: &EngineHandle, black: &EngineHandle, game: &str, opening: &str) {
    for (engine, side) in [(white, "White"), (black, "Black")] {
        if let Some(transcript) = engine.transcript() {
            transcript.set_game(game.to_owned());
        }
        remark(engine, &format!("plays {side}, {opening}"));
    }
}

/// Adds a remark to the transcript of an engine, if there is one.
fn remark(engine: &EngineHandle, text: &str) {
    if let Some(transcript) = engine.transcript() {
        transcript.add(Direction::Remark, text.as_bytes(), Instant::now());
    }
}

/// The record of a finished game.
fn played(slot: GameSlot, date: String, opening: &Opening, game: DecidedGame) -> PlayedGame {
    PlayedGame {
        slot,
        round: None,
        identities: Default::default(),
        machine: String::new(),
        date,
        opening: opening.name.clone(),
        fen: fen::format(opening.game.start()),
        opening_plies: opening.game.plies(),
        winner: game.winner,
        reason: game.reason,
        detail: game.detail,
        seconds: game.time.as_secs_f64(),
        moves: game.moves,
    }
}
