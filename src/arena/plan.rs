//! Everything that is decided about a match before it begins.

use std::fmt;

use crate::rules::Variant;

use super::openings::Source;
use super::referee::Conditions;
use super::schedule::{Format, Schedule};
use super::spec::{EngineSpec, Protocol};
use super::stats::{Sprt, Verdict};
use super::tally::Tally;
use super::time_control::{TimeControl, TimeSettings};

/// A match.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub variant: Variant,
    /// Who plays: at least two.
    pub engines: Vec<Engine>,
    /// Who plays whom.
    pub format: Format,
    /// How many pairs of games each pairing plays.
    pub rounds: usize,
    /// How many games are played at the same time.
    pub concurrency: usize,
    /// Where games start.
    pub openings: Source,
    /// How many random plies follow the opening.
    pub random_plies: usize,
    /// Where chance starts.
    pub seed: u64,
    /// What holds for all games.
    pub conditions: Conditions,
    /// When to stop early.
    pub sprt: Option<Sprt>,
}

/// An engine of a match.
#[derive(Clone, Debug)]
pub struct Engine {
    /// Its name, different from all others.
    pub name: String,
    /// How it is started.
    pub spec: EngineSpec,
    /// Its limits.
    pub time_control: TimeControl,
}

/// Why a match cannot be played as planned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanError(String);

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

impl Engine {
    /// The engines of a match, with different names and the limits of each.
    ///
    /// # Errors
    ///
    /// Limits that make no sense, or none.
    pub fn seat_all(
        specs: Vec<EngineSpec>,
        general: TimeSettings,
    ) -> Result<Vec<Engine>, PlanError> {
        let mut engines: Vec<Engine> = Vec::new();
        for spec in specs {
            let name = free_name(&engines, &spec.label());
            let time_control = spec
                .time
                .over(general)
                .resolve()
                .map_err(|what| PlanError(format!("the limits of {name}: {what}")))?;
            engines.push(Engine { name, spec, time_control });
        }
        Ok(engines)
    }
}

/// The name itself, or with a number behind it if it is taken.
fn free_name(engines: &[Engine], wanted: &str) -> String {
    let is_free = |name: &String| engines.iter().all(|engine| engine.name != *name);
    let numbered = (2..).map(|number| format!("{wanted} {number}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

impl Plan {
    /// Whether all parts fit together.
    ///
    /// # Errors
    ///
    /// They do not: why, and what would.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.engines.len() < 2 {
            return fault("a match needs at least two engines");
        }
        if self.rounds == 0 || self.concurrency == 0 {
            return fault("a match needs at least one round and one game at a time");
        }
        if self.sprt.is_some() && self.engines.len() != 2 {
            return fault("--sprt compares two engines, no more");
        }
        let has_one_port = |engine: &&Engine| {
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

    /// Who plays whom in which order.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.engines.len(), self.format, self.rounds)
    }

    /// The verdict of the sequential test, if there is one.
    pub fn verdict(&self, tally: &Tally) -> Option<Verdict> {
        let pairing = tally.pairings.get(&(0, 1))?;
        self.sprt.as_ref()?.verdict(&pairing.pairs)
    }
}

fn fault(what: &str) -> Result<(), PlanError> {
    Err(PlanError(what.to_owned()))
}
