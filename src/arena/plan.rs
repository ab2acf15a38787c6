//! Everything that is decided before a match begins.

use std::ops::Range;

use thiserror::Error;

use crate::rules::Variant;

use super::openings::OpeningSource;
use super::referee::Conditions;
use super::schedule::{MatchFormat, Schedule};
use super::spec::{EngineSpec, Protocol};
use super::stats::{Sprt, SprtVerdict};
use super::tally::MatchTally;
use super::time_control::{TimeControl, TimeSettings};

/// The plan of a match.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The variant played.
    pub variant: Variant,
    /// The engines, at least two.
    pub engines: Vec<Participant>,
    /// Which engines meet.
    pub format: MatchFormat,
    /// The number of pairs of games each pairing plays.
    pub rounds: usize,
    /// The indices of the pairs to play, where other processes play the rest; `None` for all.
    pub pairs: Option<Range<usize>>,
    /// The number of games played at the same time.
    pub concurrency: usize,
    /// Where games start.
    pub openings: OpeningSource,
    /// The number of random plies after each opening.
    pub random_plies: usize,
    /// The seed of the order of openings and of random plies.
    pub seed: u64,
    /// The conditions common to all games.
    pub conditions: Conditions,
    /// The sequential test that may end the match early.
    pub sprt: Option<Sprt>,
}

/// An engine of a match.
#[derive(Clone, Debug)]
pub struct Participant {
    /// Its name, unique in the match.
    pub name: String,
    /// How it is started.
    pub spec: EngineSpec,
    /// Its limits.
    pub time_control: TimeControl,
}

/// Why a match cannot be played as planned.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PlanError(String);

impl Participant {
    /// The engines of a match, with unique names and the limits of each.
    ///
    /// # Errors
    ///
    /// The limits of an engine are missing or invalid.
    pub fn all(
        specs: Vec<EngineSpec>,
        general: TimeSettings,
    ) -> Result<Vec<Participant>, PlanError> {
        let mut engines: Vec<Participant> = Vec::new();
        for spec in specs {
            let engine = Participant::new(spec, general)?;
            let name = free_name(&engines, &engine.name);
            engines.push(Participant { name, ..engine });
        }
        Ok(engines)
    }

    /// An engine with its limits.
    ///
    /// # Errors
    ///
    /// The limits are missing or invalid.
    pub fn new(spec: EngineSpec, general: TimeSettings) -> Result<Participant, PlanError> {
        let name = spec.label();
        let time_control = (spec.time.over(general).resolve())
            .map_err(|what| PlanError(format!("the limits of {name}: {what}")))?;
        Ok(Participant { name, spec, time_control })
    }
}

/// The name itself, or with a number appended if it is taken.
fn free_name(engines: &[Participant], wanted: &str) -> String {
    let is_free = |name: &String| engines.iter().all(|engine| engine.name != *name);
    let numbered = (2..).map(|number| format!("{wanted} {number}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

impl MatchPlan {
    /// Checks that all parts fit together.
    ///
    /// # Errors
    ///
    /// Parts that do not, and what would.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.engines.len() < 2 {
            return fault("a match needs at least two engines");
        }
        if self.rounds == 0 || self.concurrency == 0 {
            return fault("a match needs at least one round and one game at a time");
        }
        if self.pairs.as_ref().is_some_and(Range::is_empty) {
            return fault("--part has more parts than the match has pairs of games");
        }
        if self.sprt.is_some() && self.engines.len() != 2 {
            return fault("--sprt compares two engines, no more");
        }
        let has_one_port = |engine: &&Participant| {
            let spec = &engine.spec;
            let has_place = spec.command.iter().any(|word| word.contains("{port}"));
            spec.protocol == Protocol::Dxp && !(has_place && spec.dxp.port.is_none())
        };
        if let Some(engine) =
            self.engines.iter().find(has_one_port).filter(|_| self.concurrency > 1)
        {
            return fault(&format!(
                "{} has one port and so plays one game at a time: give --concurrency 1, or \
                 {{port}} instead of the port in its command line",
                engine.name
            ));
        }
        Ok(())
    }

    /// The order in which the engines meet.
    pub fn schedule(&self) -> Schedule {
        let schedule = Schedule::new(self.engines.len(), self.format, self.rounds);
        match &self.pairs {
            Some(pairs) => schedule.only(pairs.clone()),
            None => schedule,
        }
    }

    /// The verdict of the sequential test, if the match has one and it is decided.
    pub fn verdict(&self, tally: &MatchTally) -> Option<SprtVerdict> {
        let pairing = tally.pairings.get(&(0, 1))?;
        self.sprt.as_ref()?.verdict(&pairing.pairs)
    }
}

fn fault(what: &str) -> Result<(), PlanError> {
    Err(PlanError(what.to_owned()))
}
