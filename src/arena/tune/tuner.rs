//! The state of a tuning run: the parameter values, and the steps computed from finished games.
//!
//! Several steps are in progress at a time, and their games finish in any order. Nevertheless, each
//! step starts from the values that were current a fixed number of steps earlier, and results are
//! applied in the order of the steps. The same game results therefore lead to the same values,
//! whatever the number of threads.
//!
//! Several processes can share a tuning run. Each plays a part of the pairs, and reads the results
//! of the other processes from their logs.

use std::collections::{HashMap, HashSet, VecDeque};

use serde::{Deserialize, Serialize};

use crate::arena::tally::WinDrawLoss;
use crate::game::GameResult;

use super::parameter::Parameter;
use super::spsa::{Gains, Perturbation, Perturbations, TuneLength};

/// A pair of games to be played.
#[derive(Clone, PartialEq, Debug)]
pub struct PairTask {
    /// The index of the pair among all pairs.
    pub index: usize,
    /// The values of the plus side and of the minus side.
    pub values: [Vec<f64>; 2],
}

/// The result of a pair of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PairResult {
    /// The results of the two games for the plus side.
    Played([GameResult; 2]),
    /// A game was lost because of this engine fault, so the pair does not count.
    Faulty(String),
}

/// A finished pair. Its JSON form is a line in the log of a part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename = "pair")]
pub struct FinishedPair {
    /// The index of the pair among all pairs, from 0.
    pub pair: usize,
    /// The result of the pair.
    #[serde(flatten)]
    pub result: PairResult,
}

/// The pairs that one of several processes plays: those whose index modulo `count` is `index`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TunePart {
    /// The index of this process.
    pub index: usize,
    /// The number of processes, at least 1.
    pub count: usize,
}

impl TunePart {
    /// No pairs: other processes play all pairs.
    pub const NONE: TunePart = TunePart { index: 1, count: 1 };

    fn contains(self, pair: usize) -> bool {
        pair % self.count == self.index
    }
}

/// The settings of a tuning run.
#[derive(Clone, PartialEq, Debug)]
pub struct TunerSettings {
    /// The parameters, at least one.
    pub parameters: Vec<Parameter>,
    /// The number of steps, and the number of pairs per step.
    pub length: TuneLength,
    /// The maximum number of steps in progress at a time, at least 1.
    pub ahead: usize,
    /// The random seed.
    pub seed: u64,
    /// The pairs that this process plays; `None` for all.
    pub part: Option<TunePart>,
}

/// The state of a tuning run.
#[derive(Clone, Debug)]
pub struct Tuner {
    settings: TunerSettings,
    perturbations: Perturbations,
    /// The initial values, and the values after each applied step.
    history: Vec<Vec<f64>>,
    /// The steps in progress, oldest first.
    pending: VecDeque<PendingStep>,
    /// The index of the next pair to be played.
    next_pair: usize,
    /// Results from other processes or an earlier run, for pairs that `next_pair` has not reached
    /// yet.
    early: HashMap<usize, PairResult>,
    /// Pairs before `next_pair` whose results are expected from other processes.
    remote: HashSet<usize>,
    /// The results of the games in the applied steps, for the plus side.
    tally: WinDrawLoss,
    faults: u64,
}

/// A step in progress.
#[derive(Clone, Debug)]
struct PendingStep {
    perturbation: Perturbation,
    /// The values from which the step starts.
    values: Vec<f64>,
    gains: Vec<Gains>,
    score: WinDrawLoss,
    faults: u64,
    /// The number of finished pairs.
    finished: usize,
}

/// An applied step. Its JSON form is a line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename = "step")]
pub struct AppliedStep {
    /// The number of the step, from 1.
    pub step: usize,
    /// Games won by the plus side, excluding the games of faulty pairs.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the plus side.
    pub losses: u64,
    /// The number of pairs that do not count because of a fault.
    pub faults: u64,
    /// The values after the step, in the order of the parameters.
    pub values: Vec<f64>,
}

impl AppliedStep {
    /// Parses a line of a log.
    ///
    /// # Errors
    ///
    /// A message that says why the line is not a step.
    pub fn parse(line: &[u8]) -> Result<AppliedStep, String> {
        serde_json::from_slice(line).map_err(|error| error.to_string())
    }
}

impl Tuner {
    /// Creates a tuning run before its first step.
    pub fn new(settings: TunerSettings) -> Tuner {
        let TunerSettings { parameters, length, seed, .. } = &settings;
        Tuner {
            perturbations: Perturbations::new(*seed, parameters.len(), *length),
            history: vec![parameters.iter().map(|parameter| parameter.start).collect()],
            pending: VecDeque::new(),
            next_pair: 0,
            early: HashMap::new(),
            remote: HashSet::new(),
            tally: WinDrawLoss::default(),
            faults: 0,
            settings,
        }
    }

    /// The settings.
    pub fn settings(&self) -> &TunerSettings {
        &self.settings
    }

    /// The initial values, and the values after each applied step.
    pub fn history(&self) -> &[Vec<f64>] {
        &self.history
    }

    /// The current values.
    pub fn values(&self) -> &[f64] {
        self.history.last().map_or(&[], Vec::as_slice)
    }

    /// The number of applied steps.
    pub fn steps(&self) -> usize {
        self.history.len() - 1
    }

    /// Whether all steps have been applied.
    pub fn is_finished(&self) -> bool {
        self.steps() >= self.settings.length.steps
    }

    /// Whether other processes play some of the pairs.
    pub fn is_part(&self) -> bool {
        self.settings.part.is_some()
    }

    /// The results of the games in the applied steps, for the plus side.
    pub fn tally(&self) -> WinDrawLoss {
        self.tally
    }

    /// The number of faulty pairs in the applied steps. These pairs do not count.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// The number of finished games: two for each finished pair, including faulty pairs.
    pub fn finished_games(&self) -> u64 {
        let pending: usize = self.pending.iter().map(|step| step.finished).sum();
        2 * (self.steps() * self.settings.length.pairs + pending) as u64
    }

    /// The next pair that this process should play; `None` if none is left, or if another step must
    /// be applied first.
    pub fn next_pair(&mut self) -> Option<PairTask> {
        loop {
            let task = self.next_due()?;
            if let Some(result) = self.early.remove(&task.index) {
                self.add(task.index, &result);
            } else if self.settings.part.is_none_or(|part| part.contains(task.index)) {
                return Some(task);
            } else {
                self.remote.insert(task.index);
            }
        }
    }

    /// The next pair, whichever process plays it; `None` if none is left, or if another step must
    /// be applied first.
    fn next_due(&mut self) -> Option<PairTask> {
        let TuneLength { steps, pairs } = self.settings.length;
        let index = self.next_pair;
        let step = index / pairs;
        if step >= steps || step >= self.steps() + self.settings.ahead {
            return None;
        }
        if step == self.steps() + self.pending.len() {
            self.start_step();
        }
        self.next_pair += 1;
        let pending = self.pending.get(step - self.steps())?;
        let values = pending.perturbed(index % pairs, &self.settings.parameters);
        Some(PairTask { index, values })
    }

    fn start_step(&mut self) {
        let TunerSettings { parameters, length, ahead, .. } = &self.settings;
        let step = self.steps() + self.pending.len();
        let gains = parameters.iter().map(|parameter| length.gains(parameter, step));
        self.pending.push_back(PendingStep {
            perturbation: self.perturbations.next(),
            values: self.history[(step + 1).saturating_sub(*ahead)].clone(),
            gains: gains.collect(),
            score: WinDrawLoss::default(),
            faults: 0,
            finished: 0,
        });
    }

    /// Adds the result of the pair with this index. Pairs of steps that are not in progress are
    /// ignored.
    pub fn add(&mut self, index: usize, result: &PairResult) {
        let step = (index / self.settings.length.pairs).checked_sub(self.steps());
        let Some(pending) = step.and_then(|step| self.pending.get_mut(step)) else { return };
        pending.finished += 1;
        match result {
            PairResult::Played(results) => {
                results.iter().for_each(|&result| pending.score.add(result));
            }
            PairResult::Faulty(_) => pending.faults += 1,
        }
    }

    /// Adds a pair from a line in the log of another process or an earlier run. Pairs may be added
    /// in any order; pairs already known are ignored.
    ///
    /// # Errors
    ///
    /// A message that says why the line is not a pair.
    pub fn add_logged(&mut self, line: &[u8]) -> Result<(), String> {
        let logged = serde_json::from_slice(line).map_err(|error| error.to_string());
        let FinishedPair { pair, result } = logged?;
        if pair >= self.next_pair {
            self.early.entry(pair).or_insert(result);
        } else if self.remote.remove(&pair) {
            self.add(pair, &result);
        }
        Ok(())
    }

    /// Applies the oldest step in progress, if all its games are finished.
    pub fn apply(&mut self) -> Option<AppliedStep> {
        let pairs = self.settings.length.pairs;
        let step = self.pending.pop_front_if(|step| step.finished == pairs)?;
        let values = step.applied_to(self.values(), &self.settings.parameters);
        self.history.push(values.clone());
        self.tally = self.tally.plus(step.score);
        self.faults += step.faults;
        let WinDrawLoss { wins, draws, losses } = step.score;
        Some(AppliedStep { step: self.steps(), wins, draws, losses, faults: step.faults, values })
    }

    /// Applies a step from a log, before any pair is played.
    ///
    /// # Errors
    ///
    /// A message if the step is not the next one, its number of games is wrong, or its values do
    /// not follow from its result. The tuner must not be used after an error.
    pub fn replay(&mut self, logged: &AppliedStep) -> Result<(), String> {
        let expected = self.steps() + 1;
        if logged.step != expected || self.is_finished() {
            return Err(format!("expected step {expected}, found step {}", logged.step));
        }
        let pairs = self.settings.length.pairs;
        let AppliedStep { wins, draws, losses, faults, .. } = *logged;
        let games = [wins, draws, losses, faults, faults].into_iter().try_fold(0, u64::checked_add);
        if games != Some(2 * pairs as u64) {
            return Err(format!("its number of games does not match {pairs} pairs"));
        }
        self.start_step();
        self.next_pair += pairs;
        if let Some(pending) = self.pending.front_mut() {
            pending.score = WinDrawLoss { wins, draws, losses };
            (pending.faults, pending.finished) = (faults, pairs);
        }
        let applied = self.apply();
        match applied.is_some_and(|applied| self.are_close(&applied.values, &logged.values)) {
            true => Ok(()),
            false => Err("its values do not follow from the results so far".to_owned()),
        }
    }

    /// Whether two lists of values agree, apart from rounding errors caused by writing a log.
    fn are_close(&self, some: &[f64], others: &[f64]) -> bool {
        let parameters = &self.settings.parameters;
        let is_close = |((some, other), parameter): ((&f64, &f64), &Parameter)| {
            (some - other).abs() <= 1e-9 * (parameter.max - parameter.min)
        };
        some.len() == others.len() && some.iter().zip(others).zip(parameters).all(is_close)
    }
}

impl PendingStep {
    /// The values for both sides in a pair of the step.
    fn perturbed(&self, pair: usize, parameters: &[Parameter]) -> [Vec<f64>; 2] {
        let values = parameters.iter().enumerate().map(|(index, parameter)| {
            let (value, offset) = (self.values[index], self.gains[index].offset);
            self.perturbation.values(pair, index, parameter, value, offset).into()
        });
        let (plus, minus) = values.unzip();
        [plus, minus]
    }

    /// The values after the step, given the values after the previous step.
    fn applied_to(&self, values: &[f64], parameters: &[Parameter]) -> Vec<f64> {
        let result = self.score.wins as f64 - self.score.losses as f64;
        let moved = parameters.iter().enumerate().map(|(index, parameter)| {
            let change = self.gains[index].rate * result * self.perturbation.signs[index];
            (values[index] + change).clamp(parameter.min, parameter.max)
        });
        moved.collect()
    }
}
