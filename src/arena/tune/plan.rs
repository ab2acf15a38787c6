//! The plan of a tuning.

use std::collections::HashSet;

use crate::arena::client::Declared;
use crate::arena::openings::OpeningSource;
use crate::arena::referee::Conditions;
use crate::arena::spec::{EngineSpec, Participant};
use crate::rules::Variant;

use super::parameter::{Parameter, ParameterText};
use super::tuner::TunerSettings;

/// The plan of a tuning.
#[derive(Clone, Debug)]
pub struct TunePlan {
    /// The variant played.
    pub variant: Variant,
    /// The engine, which plays itself.
    pub engine: Participant,
    /// The numbers, the steps, and the seed.
    pub tuner: TunerSettings,
    /// The number of games played at the same time.
    pub concurrency: usize,
    /// Where games start.
    pub openings: OpeningSource,
    /// The number of random plies after each opening.
    pub random_plies: usize,
    /// The conditions common to all games.
    pub conditions: Conditions,
}

/// The parameters of a tuning of this many games.
///
/// # Errors
///
/// There is none; one comes twice or is also set in the engine's description; or it does not fit
/// what the engine declares.
pub fn resolve(
    texts: &[ParameterText],
    spec: &EngineSpec,
    declared: &[Declared],
    games: u64,
) -> Result<Vec<Parameter>, String> {
    if texts.is_empty() {
        return Err("a number to tune is missing: give --param or --params".to_owned());
    }
    let mut seen = HashSet::new();
    if let Some(twice) = texts.iter().find(|text| !seen.insert(text.name())) {
        return Err(format!("the parameter {} is given twice", twice.name()));
    }
    if let Some((name, _)) = spec.params.iter().find(|(name, _)| seen.contains(name.as_str())) {
        return Err(format!("{name} is to be tuned, so the engine must not have param.{name}="));
    }
    texts
        .iter()
        .map(|text| text.resolve(declared, games).map_err(|error| error.to_string()))
        .collect()
}

impl TunePlan {
    /// Checks that all parts fit together.
    ///
    /// # Errors
    ///
    /// Parts that do not, and what would.
    pub fn check(&self) -> Result<(), String> {
        let TunerSettings { length, ahead, .. } = self.tuner;
        if self.concurrency == 0 || length.all_pairs() == 0 {
            return Err("a tuning needs at least one game at a time, a step, and a pair of games \
                        in it"
                .to_owned());
        }
        if ahead * length.pairs < self.concurrency {
            return Err(format!(
                "--ahead {ahead} with {} pairs a step keeps fewer games going than --concurrency \
                 {}: at least --ahead {} is needed, twice as many are better",
                length.pairs,
                self.concurrency,
                self.concurrency.div_ceil(length.pairs),
            ));
        }
        Ok(())
    }
}
