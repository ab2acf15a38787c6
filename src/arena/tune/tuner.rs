//! The numbers being tuned, and what finished games make of them.
//!
//! Several steps are under way at the same time, and their games end in any order. A step is
//! nevertheless tried from the values that a fixed number of steps before it have left, and the
//! results are applied in the order of the steps. The same games therefore give the same values,
//! however many are played at a time.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::arena::tally::WinDrawLoss;

use super::gains::{Gains, TuneLength};
use super::pair::{EndedPair, PairResult, PairTask};
use super::parameter::Parameter;
use super::share::{RemotePairs, Share, Turn};
use super::trial::{Perturbation, Perturbations};

/// What a tuning is about.
#[derive(Clone, PartialEq, Debug)]
pub struct TunerSettings {
    /// The numbers, at least one.
    pub parameters: Vec<Parameter>,
    /// The number of steps and of their games.
    pub length: TuneLength,
    /// The number of steps that are begun before the result of the first of them is applied, at
    /// least 1.
    pub ahead: usize,
    /// The seed of everything random.
    pub seed: u64,
    /// The pairs that are played here, if others play some; otherwise all.
    pub share: Option<Share>,
}

/// The state of a tuning.
#[derive(Clone, Debug)]
pub struct Tuner {
    settings: TunerSettings,
    trials: Perturbations,
    /// The values at the start and after each step that has been applied.
    way: Vec<Vec<f64>>,
    /// The steps that have been begun but not applied, oldest first.
    begun: VecDeque<PendingStep>,
    /// The index of the next pair to be played.
    next_pair: usize,
    others: RemotePairs,
    /// The games of the steps that have been applied.
    tally: WinDrawLoss,
    faults: u64,
}

/// A step that has been begun.
#[derive(Clone, Debug)]
struct PendingStep {
    trial: Perturbation,
    /// The values from which it tries.
    values: Vec<f64>,
    gains: Vec<Gains>,
    score: WinDrawLoss,
    faults: u64,
    /// The number of pairs that have ended.
    ended: usize,
}

/// A step that has been applied. As JSON it is a line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename = "step")]
pub struct AppliedStep {
    /// Its number, from 1.
    pub step: usize,
    /// Games won by the plus side; those of faulty pairs do not count.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the plus side.
    pub losses: u64,
    /// The number of pairs that do not count, because of a fault.
    pub faults: u64,
    /// The values after it, in the order of the parameters.
    pub values: Vec<f64>,
}

impl AppliedStep {
    /// The step on a line of a log.
    ///
    /// # Errors
    ///
    /// The line is not one: why.
    pub fn parse(line: &[u8]) -> Result<AppliedStep, String> {
        serde_json::from_slice(line).map_err(|error| error.to_string())
    }
}

impl Tuner {
    /// A tuning that has not begun.
    pub fn new(settings: TunerSettings) -> Tuner {
        let TunerSettings { parameters, length, seed, share, .. } = &settings;
        Tuner {
            trials: Perturbations::new(*seed, parameters.len(), *length),
            way: vec![parameters.iter().map(|parameter| parameter.start).collect()],
            begun: VecDeque::new(),
            next_pair: 0,
            others: RemotePairs::new(*share),
            tally: WinDrawLoss::default(),
            faults: 0,
            settings,
        }
    }

    /// What it is about.
    pub fn settings(&self) -> &TunerSettings {
        &self.settings
    }

    /// The values at the start and after each applied step.
    pub fn way(&self) -> &[Vec<f64>] {
        &self.way
    }

    /// The values now.
    pub fn values(&self) -> &[f64] {
        // The way begins with the start.
        self.way.last().map_or(&[], Vec::as_slice)
    }

    /// The number of applied steps.
    pub fn steps(&self) -> usize {
        self.way.len() - 1
    }

    /// Whether all steps have been applied.
    pub fn is_finished(&self) -> bool {
        self.steps() >= self.settings.length.steps
    }

    /// The games of the applied steps, from the plus side's point of view.
    pub fn tally(&self) -> WinDrawLoss {
        self.tally
    }

    /// The number of pairs of the applied steps that do not count, because of a fault.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// The number of games that have ended: two for each pair, those of faulty pairs included.
    pub fn ended_games(&self) -> u64 {
        let begun: usize = self.begun.iter().map(|step| step.ended).sum();
        2 * (self.steps() * self.settings.length.pairs + begun) as u64
    }

    /// Whether there may be others, who play some of the pairs.
    pub fn has_others(&self) -> bool {
        self.others.exist()
    }

    /// Takes the result of a pair that was played elsewhere or in an earlier run, in any order.
    pub fn learn(&mut self, ended: EndedPair) {
        if let Some(EndedPair { pair, result }) = self.others.learn(ended, self.next_pair) {
            self.end_pair(pair, &result);
        }
    }

    /// The next pair to be played here; `None` if there is none before a further step is applied.
    pub fn next_pair(&mut self) -> Option<PairTask> {
        loop {
            let task = self.next_of_all()?;
            match self.others.turn(task) {
                Turn::Here(task) => return Some(task),
                Turn::Known(EndedPair { pair, result }) => self.end_pair(pair, &result),
                Turn::Elsewhere => {}
            }
        }
    }

    /// The next pair, wherever it is played.
    fn next_of_all(&mut self) -> Option<PairTask> {
        let TuneLength { steps, pairs } = self.settings.length;
        let index = self.next_pair;
        let step = index / pairs;
        if step >= steps || step >= self.steps() + self.settings.ahead {
            return None;
        }
        if step == self.steps() + self.begun.len() {
            self.begin();
        }
        self.next_pair += 1;
        let begun = self.begun.get(step - self.steps())?;
        Some(PairTask { index, values: begun.tried(index % pairs, &self.settings.parameters) })
    }

    /// Begins the next step.
    fn begin(&mut self) {
        let TunerSettings { parameters, length, ahead, .. } = &self.settings;
        let step = self.steps() + self.begun.len();
        let gains = parameters.iter().map(|parameter| length.gains(parameter, step));
        self.begun.push_back(PendingStep {
            trial: self.trials.next(),
            values: self.way[(step + 1).saturating_sub(*ahead)].clone(),
            gains: gains.collect(),
            score: WinDrawLoss::default(),
            faults: 0,
            ended: 0,
        });
    }

    /// Takes the result of a pair, by its index. Pairs of steps that are not under way are ignored.
    pub fn end_pair(&mut self, index: usize, result: &PairResult) {
        let step = index / self.settings.length.pairs;
        let place = step.checked_sub(self.steps());
        let Some(begun) = place.and_then(|place| self.begun.get_mut(place)) else { return };
        begun.ended += 1;
        match result {
            PairResult::Played(scores) => scores.iter().for_each(|&score| begun.score.add(score)),
            PairResult::Faulty(_) => begun.faults += 1,
        }
    }

    /// Applies the oldest step under way, if all its games have ended.
    pub fn apply(&mut self) -> Option<AppliedStep> {
        let is_ended = |step: &PendingStep| step.ended == self.settings.length.pairs;
        let step = self.begun.front().is_some_and(is_ended).then(|| self.begun.pop_front())??;
        let values = step.moved(self.values(), &self.settings.parameters);
        self.way.push(values.clone());
        self.tally = self.tally.and(step.score);
        self.faults += step.faults;
        let WinDrawLoss { wins, draws, losses } = step.score;
        Some(AppliedStep { step: self.steps(), wins, draws, losses, faults: step.faults, values })
    }

    /// Takes a step from a log, before any pair is played.
    ///
    /// # Errors
    ///
    /// It is not the next step, it has not the games of a step, or its values do not follow from
    /// its result; the tuner is then of no use.
    pub fn replay(&mut self, logged: &AppliedStep) -> Result<(), String> {
        let expected = self.steps() + 1;
        if logged.step != expected || self.is_finished() {
            return Err(format!("step {} comes where step {expected} is due", logged.step));
        }
        let pairs = self.settings.length.pairs;
        let AppliedStep { wins, draws, losses, faults, .. } = *logged;
        let games = [wins, draws, losses, faults, faults].into_iter().try_fold(0, u64::checked_add);
        if games != Some(2 * pairs as u64) {
            return Err(format!("it has not the games of {pairs} pairs"));
        }
        self.begin();
        self.next_pair += pairs;
        if let Some(begun) = self.begun.front_mut() {
            begun.score = WinDrawLoss { wins, draws, losses };
            (begun.faults, begun.ended) = (faults, pairs);
        }
        let applied = self.apply();
        match applied.is_some_and(|applied| self.is_same(&applied.values, &logged.values)) {
            true => Ok(()),
            false => Err("its values do not follow from the results up to it".to_owned()),
        }
    }

    /// Whether values agree, but for the last digits that a text may lose.
    fn is_same(&self, some: &[f64], others: &[f64]) -> bool {
        let parameters = &self.settings.parameters;
        let is_near = |((some, other), parameter): ((&f64, &f64), &Parameter)| {
            (some - other).abs() <= 1e-9 * (parameter.max - parameter.min)
        };
        some.len() == others.len() && some.iter().zip(others).zip(parameters).all(is_near)
    }
}

impl PendingStep {
    /// The values that a pair of the step tries.
    fn tried(&self, pair: usize, parameters: &[Parameter]) -> [Vec<f64>; 2] {
        let tried = parameters.iter().enumerate().map(|(index, parameter)| {
            let (value, reach) = (self.values[index], self.gains[index].reach);
            let [plus, minus] = self.trial.values(pair, index, parameter, value, reach);
            (plus, minus)
        });
        let (plus, minus) = tried.unzip();
        [plus, minus]
    }

    /// The values after the step, from those that the step before it has left.
    fn moved(&self, values: &[f64], parameters: &[Parameter]) -> Vec<f64> {
        let result = self.score.wins as f64 - self.score.losses as f64;
        let moved = parameters.iter().enumerate().map(|(index, parameter)| {
            let way = self.gains[index].rate * result * self.trial.signs[index];
            (values[index] + way).clamp(parameter.min, parameter.max)
        });
        moved.collect()
    }
}
