//! The plan of a match: engines, limits, openings and pairings.

use std::num::NonZero;
use std::ops::Range;
use std::thread;

use thiserror::Error;

use crate::rules::Variant;

use super::client::cores::CoreSet;
use super::client::transcript::Transcript;
use super::openings::OpeningSource;
use super::played::PlayedGame;
use super::referee::Conditions;
use super::schedule::{MAX_SWISS_ENGINES, MatchFormat, Schedule};
use super::spec::{Participant, Protocol};
use super::stats::{RatingScale, Sprt, SprtVerdict};
use super::tally::MatchTally;

/// The plan of a match.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The variant played.
    pub variant: Variant,
    /// The engines, at least two.
    pub engines: Vec<Participant>,
    /// Which engines play each other.
    pub format: MatchFormat,
    /// The number of pairs of games per pairing.
    pub rounds: usize,
    /// The indices of the pairs to play if other processes play the rest; `None` for all.
    pub pairs: Option<Range<usize>>,
    /// The number of games played at the same time.
    pub concurrency: usize,
    /// The openings.
    pub openings: OpeningSource,
    /// The number of random plies after each opening.
    pub random_plies: usize,
    /// The random seed for the order of openings and for random plies.
    pub seed: u64,
    /// The conditions common to all games.
    pub conditions: Conditions,
    /// The sequential test that may end the match early.
    pub sprt: Option<Sprt>,
    /// How the ratings are anchored.
    pub rating_scale: RatingScale,
    /// The cores for the engines of each concurrent game; empty if the engines may run on any core.
    pub cores: Vec<CoreSet>,
    /// The transcript of all messages to and from the engines; `None` for no transcript.
    pub transcript: Option<Transcript>,
}

/// Why a match cannot be played as planned.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PlanError(String);

impl MatchPlan {
    /// A warning if the limits include time and the engines of all concurrent games search on more
    /// threads than there are processors.
    pub fn warning(&self) -> Option<String> {
        let processors = processors();
        let threads = self.engines.iter().map(|engine| engine.spec.threads()).max().unwrap_or(1);
        let all = self.concurrency * threads;
        (self.has_clock() && all > processors).then(|| {
            format!(
                "{all} search threads share {processors} processors: use fewer threads or a lower \
                 --concurrency, or limit nodes or depth instead of time"
            )
        })
    }

    /// Checks that this machine can play as many games at the same time.
    ///
    /// # Errors
    ///
    /// See [`check_processors`].
    pub fn check_machine(&self) -> Result<(), PlanError> {
        check_processors(self.has_clock(), self.concurrency)
    }

    fn has_clock(&self) -> bool {
        self.engines.iter().any(|engine| engine.time_control.has_clock())
    }

    /// Checks that the settings are consistent.
    ///
    /// # Errors
    ///
    /// A message that names the inconsistent settings and suggests a correction.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.engines.len() < 2 {
            return fault("a match needs at least two engines");
        }
        if self.rounds == 0 || self.concurrency == 0 {
            return fault("a match needs at least one round and one game at a time");
        }
        if self.pairs.as_ref().is_some_and(Range::is_empty) {
            return fault("--part: there are fewer pairs of games than parts");
        }
        if self.format.is_tournament() {
            self.check_tournament()?;
        }
        let has_one_port = |engine: &&Participant| {
            let spec = &engine.spec;
            let has_placeholder = spec.command.iter().any(|word| word.contains("{port}"));
            spec.protocol == Protocol::Dxp && !(has_placeholder && spec.dxp.port.is_none())
        };
        if let Some(engine) =
            self.engines.iter().find(has_one_port).filter(|_| self.concurrency > 1)
        {
            return fault(&format!(
                "{} has a fixed port and so plays one game at a time: use --concurrency 1, or \
                 write {{port}} instead of the port in its command line",
                engine.name
            ));
        }
        Ok(())
    }

    /// Parses a line of the log of this match.
    ///
    /// # Errors
    ///
    /// A message if the line is not a game between two engines of the match, or not one of the pairs
    /// to play.
    pub fn logged_game(&self, line: &[u8]) -> Result<PlayedGame, String> {
        let played: PlayedGame = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let engines = [played.slot.white, played.slot.black];
        if engines.iter().any(|&engine| engine >= self.engines.len()) {
            return Err("an engine that is not in the match".to_owned());
        }
        if engines[0] == engines[1] {
            return Err("an engine that plays itself".to_owned());
        }
        if self.pairs.as_ref().is_some_and(|pairs| !pairs.contains(&played.slot.pair)) {
            let pair = played.slot.pair + 1;
            return Err(format!("pair {pair} is in another part; give each part a log of its own"));
        }
        Ok(played)
    }

    /// The schedule of the pairs of games to play, none of which has been handed out.
    pub fn schedule(&self) -> Schedule {
        let schedule = Schedule::new(self.engines.len(), self.format, self.rounds);
        match &self.pairs {
            Some(pairs) => schedule.restricted_to(pairs.clone()),
            None => schedule,
        }
    }

    fn check_tournament(&self) -> Result<(), PlanError> {
        if self.sprt.is_some() {
            return fault("--sprt needs a round robin or a gauntlet");
        }
        if self.pairs.is_some() {
            return fault("--part needs a round robin or a gauntlet: rounds depend on results");
        }
        let MatchFormat::Swiss { rounds } = self.format else { return Ok(()) };
        let engines = self.engines.len();
        let max = engines - 1 + engines % 2;
        if !(1..=max).contains(&rounds) {
            return fault(&format!(
                "a Swiss tournament of {engines} engines has 1 to {max} rounds, not {rounds}: see \
                 --swiss-rounds"
            ));
        }
        if engines > MAX_SWISS_ENGINES {
            return fault(&format!("a Swiss tournament has at most {MAX_SWISS_ENGINES} engines"));
        }
        Ok(())
    }

    /// The number of games of the whole match, as far as it is known.
    pub fn planned_games(&self, tally: &MatchTally) -> u64 {
        2 * self.schedule().planned(&tally.pair_results) as u64
    }

    /// The verdict that ends the match: that of the sequential test between two engines; `None` if
    /// there is no test, the test is undecided, or there are several pairings, each with a separate
    /// test.
    pub fn verdict(&self, tally: &MatchTally) -> Option<SprtVerdict> {
        self.pairing_verdict(tally, (0, 1)).filter(|_| self.engines.len() == 2)
    }

    /// The verdict of the sequential test of a pairing, given with the lower index first; `None` if
    /// the match has no test, or the test is undecided.
    pub fn pairing_verdict(
        &self,
        tally: &MatchTally,
        pairing: (usize, usize),
    ) -> Option<SprtVerdict> {
        self.sprt.as_ref()?.verdict(&tally.pairings.get(&pairing)?.played.pairs)
    }
}

/// Checks that this machine can play `concurrency` games at the same time.
///
/// # Errors
///
/// The games are timed, and there are fewer processors than games: engines would lose games through
/// the load of the others.
pub fn check_processors(has_clock: bool, concurrency: usize) -> Result<(), PlanError> {
    let processors = processors();
    match has_clock && concurrency > processors {
        true => fault(&format!(
            "{concurrency} concurrent games cannot be timed on {processors} processors: use \
             --concurrency {processors}, or limit nodes or depth instead of time"
        )),
        false => Ok(()),
    }
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

fn fault(what: &str) -> Result<(), PlanError> {
    Err(PlanError(what.to_owned()))
}
