//! The plan of a tuning run, and its execution: plays pairs of games on several threads.

use std::collections::HashSet;
use std::io;
use std::time::{Duration, Instant};

use crate::arena::client::{DeclaredParameter, EngineHandle, MatchContext};
use crate::arena::openings::{self, Opening, OpeningSource};
use crate::arena::plan::{PlanError, check_processors};
use crate::arena::referee::{self, Abandoned, Conditions};
use crate::arena::runner::RunError;
use crate::arena::spec::{EngineSpec, Participant};
use crate::arena::workers::{NextTask, TaskPlayer, TaskQueue, play_all};
use crate::board::Side;
use crate::game::GameResult;
use crate::rules::Variant;
use crate::runtime::interrupt::Interrupt;
use crate::runtime::log::{LogError, LogFollower, LogSettings};

use super::parameter::{Parameter, ParameterText};
use super::tuner::{AppliedStep, FinishedPair, PairResult, PairTask, Tuner, TunerSettings};

/// The plan of a tuning run.
#[derive(Clone, Debug)]
pub struct TunePlan {
    /// The variant played.
    pub variant: Variant,
    /// The engine, which plays against itself.
    pub engine: Participant,
    /// The parameters, the length of the run, and the random seed.
    pub tuner: TunerSettings,
    /// The number of games played at the same time.
    pub concurrency: usize,
    /// The openings.
    pub openings: OpeningSource,
    /// The number of random plies after each opening.
    pub random_plies: usize,
    /// The conditions common to all games.
    pub conditions: Conditions,
}

/// Resolves the parameters of a tuning run of `games` games.
///
/// # Errors
///
/// A message if there is no parameter, a parameter is repeated or also set in the engine's
/// description, or a parameter does not match the engine's declaration.
pub fn resolve(
    texts: &[ParameterText],
    spec: &EngineSpec,
    declared: &[DeclaredParameter],
    games: u64,
) -> Result<Vec<Parameter>, String> {
    if texts.is_empty() {
        return Err("no parameters to tune: use --param or --params".to_owned());
    }
    let mut seen = HashSet::new();
    if let Some(twice) = texts.iter().find(|text| !seen.insert(text.name())) {
        return Err(format!("the parameter {} is given twice", twice.name()));
    }
    if let Some((name, _)) = spec.params.iter().find(|(name, _)| seen.contains(name.as_str())) {
        return Err(format!("{name} is tuned, so the engine must not set param.{name}="));
    }
    texts
        .iter()
        .map(|text| text.resolve(declared, games).map_err(|error| error.to_string()))
        .collect()
}

impl TunePlan {
    /// Checks that this machine can play as many games at the same time.
    ///
    /// # Errors
    ///
    /// See [`check_processors`].
    pub fn check_machine(&self) -> Result<(), PlanError> {
        check_processors(self.engine.time_control.has_clock(), self.concurrency)
    }

    /// Checks that the settings are consistent.
    ///
    /// # Errors
    ///
    /// A message that names the inconsistent settings and suggests a correction.
    pub fn check(&self) -> Result<(), String> {
        let TunerSettings { length, ahead, .. } = self.tuner;
        if self.concurrency == 0 || length.all_pairs() == 0 {
            return Err(
                "a tuning run needs at least one game at a time, one step and one pair per step"
                    .to_owned(),
            );
        }
        if ahead * length.pairs < self.concurrency {
            return Err(format!(
                "--ahead {ahead} with {} pairs per step is too low for --concurrency {}: use at least \
                 --ahead {}, preferably twice that",
                length.pairs,
                self.concurrency,
                self.concurrency.div_ceil(length.pairs),
            ));
        }
        Ok(())
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub struct TuneEnding {
    /// Why the run ended.
    pub cause: TuneCause,
    /// Wall-clock time of the run.
    pub wall: Duration,
    /// The number of games finished in this run.
    pub games: u64,
}

/// Why a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TuneCause {
    /// All steps have been applied.
    Complete,
    /// The run must wait for games played by other processes.
    Waiting,
    /// The run was interrupted.
    Interrupted,
    /// More pairs than [`max_faults`] allows were lost to faults of the engine.
    Faults,
    /// The engine cannot play, or can no longer play; contains the reason.
    Unsuitable(String),
}

/// An event of a run.
#[derive(Clone, Copy, Debug)]
pub enum TuneEvent<'a> {
    /// A pair played by this process has finished.
    Pair(&'a FinishedPair),
    /// A step has been applied.
    Step(&'a AppliedStep),
}

/// A callback that records events.
pub type TuneRecorder<'a> = dyn FnMut(TuneEvent<'_>, &Tuner) -> io::Result<()> + Send + 'a;

/// Maximum number of faulty pairs after `games` finished games: 10, plus 1 per 100 games.
pub fn max_faults(games: u64) -> u64 {
    10 + games / 100
}

/// The logs of all parts of a tuning run.
#[derive(Debug)]
pub struct PartLogs {
    /// The logs, in any order. The file of a part that has not started may be missing.
    pub logs: Vec<LogFollower>,
    /// The settings that all logs must share.
    pub settings: LogSettings,
}

impl PartLogs {
    /// Adds the new results in the logs to the tuner.
    ///
    /// # Errors
    ///
    /// A log cannot be read, or belongs to another tuning run.
    fn read(&mut self, tuner: &mut Tuner) -> Result<(), LogError> {
        for log in &mut self.logs {
            match log.read(&self.settings, &mut |line| tuner.add_logged(line)) {
                Err(error) if !error.is_missing() => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Plays the steps that the tuner has not applied yet. If this process plays only a part of the
/// games, `logs` contains the logs of all parts, and the run ends when the next games depend on
/// results that other parts have not logged yet. Events are passed to `record`.
///
/// # Errors
///
/// The run cannot continue. The steps applied before the failure are kept in `tuner`.
pub fn run(
    plan: &TunePlan,
    tuner: &mut Tuner,
    mut logs: Option<&mut PartLogs>,
    interrupt: &Interrupt,
    record: &mut TuneRecorder<'_>,
) -> Result<TuneEnding, RunError> {
    let count = plan.tuner.length.all_pairs();
    let sequence =
        openings::draw(plan.variant, &plan.openings, plan.random_plies, plan.tuner.seed, count)
            .map_err(RunError::Openings)?;
    if tuner.is_finished() {
        let (cause, wall) = (TuneCause::Complete, Duration::ZERO); // finished in an earlier run
        return Ok(TuneEnding { cause, wall, games: 0 });
    }
    let player = TunePlayer { plan, openings: &sequence.openings, interrupt };
    let (start, mut games) = (Instant::now(), 0);
    loop {
        if let Some(logs) = &mut logs {
            logs.read(tuner).map_err(RunError::Log)?;
        }
        let mut queue = TuneQueue { tuner: &mut *tuner, record: &mut *record, pairs: 0, faults: 0 };
        let end = play_all(&mut queue, &player, plan.concurrency, interrupt);
        let cause = match end.map_err(RunError::System)? {
            Some(cause) => cause,
            None if queue.tuner.is_finished() => TuneCause::Complete,
            None if interrupt.is_set() => TuneCause::Interrupted,
            None => TuneCause::Waiting,
        };
        games += 2 * queue.pairs;
        // While this process played, other parts may have finished more games: read their logs
        // again.
        if cause != TuneCause::Waiting || queue.pairs == 0 {
            return Ok(TuneEnding { cause, wall: start.elapsed(), games });
        }
    }
}

/// The task queue: takes pairs from the tuner, and counts the pairs finished in this run.
struct TuneQueue<'a, 'b> {
    tuner: &'a mut Tuner,
    record: &'a mut TuneRecorder<'b>,
    /// The number of finished pairs.
    pairs: u64,
    /// The number of faulty pairs.
    faults: u64,
}

impl TaskQueue for TuneQueue<'_, '_> {
    type Task = PairTask;
    type Outcome = FinishedPair;
    type End = TuneCause;

    /// Returns the next pair. If no pair is available, first applies the steps that results of
    /// other parts have completed.
    fn next(&mut self) -> io::Result<NextTask<PairTask>> {
        loop {
            if let Some(task) = self.tuner.next_pair() {
                return Ok(NextTask::Play(task));
            }
            if !self.apply()? {
                return Ok(match self.tuner.is_part() {
                    true => NextTask::Stop,
                    false => NextTask::Wait,
                });
            }
        }
    }

    /// Counts a pair and applies the steps that it completes.
    fn add(&mut self, pair: FinishedPair) -> io::Result<Option<TuneCause>> {
        self.tuner.add(pair.pair, &pair.result);
        self.pairs += 1;
        self.faults += u64::from(matches!(pair.result, PairResult::Faulty(_)));
        (self.record)(TuneEvent::Pair(&pair), self.tuner)?;
        self.apply()?;
        if self.tuner.is_finished() {
            return Ok(Some(TuneCause::Complete));
        }
        Ok((self.faults > max_faults(self.tuner.finished_games())).then_some(TuneCause::Faults))
    }
}

impl TuneQueue<'_, '_> {
    /// Applies all complete steps. Returns whether there were any.
    fn apply(&mut self) -> io::Result<bool> {
        let before = self.tuner.steps();
        while let Some(step) = self.tuner.apply() {
            (self.record)(TuneEvent::Step(&step), self.tuner)?;
        }
        Ok(self.tuner.steps() > before)
    }
}

/// Plays pairs of games, with two processes of the engine per thread. Pair `n` starts from opening
/// `n`.
struct TunePlayer<'a> {
    plan: &'a TunePlan,
    openings: &'a [Opening],
    interrupt: &'a Interrupt,
}

impl TaskPlayer<TuneQueue<'_, '_>> for TunePlayer<'_> {
    /// Two processes of the engine: one for the plus side and one for the minus side.
    fn engines(&self, _: usize) -> Vec<EngineHandle> {
        let variant = self.plan.variant;
        let context = MatchContext::new(variant, self.interrupt.clone());
        let engine = || EngineHandle::new(&self.plan.engine, context.clone());
        vec![engine(), engine()]
    }

    fn play(
        &self,
        task: PairTask,
        engines: &mut [EngineHandle],
        add: &mut dyn FnMut(FinishedPair),
    ) -> Result<(), Option<TuneCause>> {
        let result = self.play_pair(&task, engines).map_err(|abandoned| match abandoned {
            Abandoned::Interrupted => None,
            Abandoned::Unsuitable(_, what) => Some(TuneCause::Unsuitable(what)),
        })?;
        add(FinishedPair { pair: task.index, result });
        Ok(())
    }
}

impl TunePlayer<'_> {
    /// Plays two games from one opening; the plus side has White in the first game.
    fn play_pair(
        &self,
        task: &PairTask,
        engines: &mut [EngineHandle],
    ) -> Result<PairResult, Abandoned> {
        let parameters = &self.plan.tuner.parameters;
        for (engine, values) in engines.iter_mut().zip(&task.values) {
            let params = parameters.iter().zip(values);
            let params = params.map(|(param, &value)| (param.name.clone(), param.text(value)));
            engine.set_params(params.collect());
        }
        let mut results = [GameResult::Draw; 2];
        for (result, plus) in results.iter_mut().zip(Side::ALL) {
            let [one, two] = engines else { unreachable!("a pair has two engines") };
            let engines = if plus == Side::White { [one, two] } else { [two, one] };
            let game = referee::play(
                engines,
                &self.openings[task.index],
                &self.plan.conditions,
                &mut |_| {},
            )?;
            if game.reason.is_fault() {
                return Ok(PairResult::Faulty(format!(
                    "{} {}",
                    game.reason.logged_name(),
                    game.detail
                )));
            }
            *result = GameResult::of(game.winner, plus);
        }
        Ok(PairResult::Played(results))
    }
}
