//! The plan of a match: engines, limits, openings and pairings.

use std::num::NonZero;
use std::ops::Range;
use std::thread;

use thiserror::Error;

use crate::rules::Variant;

use super::openings::OpeningSource;
use super::played::GameSlot;
use super::referee::Conditions;
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
    /// What the ratings are relative to.
    pub rating_scale: RatingScale,
}

/// Why a match cannot be played as planned.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PlanError(String);

impl MatchPlan {
    /// The warning about clocks and more games at once than processors.
    pub fn warning(&self) -> Option<String> {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        let has_clock = self.engines.iter().any(|engine| {
            let limits = engine.time_control;
            limits.move_time.is_some() || limits.game.is_some()
        });
        (has_clock && self.concurrency > processors).then(|| {
            format!(
                "{} games at once share {processors} processors: use --concurrency {processors}, or limits \
                 without time",
                self.concurrency
            )
        })
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
        if self.sprt.is_some() && self.engines.len() != 2 {
            return fault("--sprt compares exactly two engines");
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

    /// The schedule of the pairs of games to play.
    pub fn schedule(&self) -> Schedule {
        let schedule = Schedule::new(self.engines.len(), self.format, self.rounds);
        match &self.pairs {
            Some(pairs) => schedule.restricted_to(pairs.clone()),
            None => schedule,
        }
    }

    /// The verdict of the sequential test; `None` if the match has no test, or the test is
    /// undecided.
    pub fn verdict(&self, tally: &MatchTally) -> Option<SprtVerdict> {
        let pairing = tally.pairings.get(&(0, 1))?;
        self.sprt.as_ref()?.verdict(&pairing.played.pairs)
    }
}

fn fault(what: &str) -> Result<(), PlanError> {
    Err(PlanError(what.to_owned()))
}

/// Which engines of a match play each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchFormat {
    /// Every engine plays every other engine.
    RoundRobin,
    /// The first engine plays each of the others.
    Gauntlet,
}

/// The pairs of games of a match. In each round, every pairing plays two games from the opening of
/// the round, with colours reversed in the second game.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    /// The indices of the pairs to play.
    pairs: Range<usize>,
}

/// Two games between the same engines from the same opening, with colours reversed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GamePair {
    /// The index of the pair among all pairs.
    pub index: usize,
    /// The index of the round, which is also the index of the opening.
    pub round: usize,
    /// The engine that plays White in the first game.
    pub first: usize,
    /// The engine that plays Black in the first game.
    pub second: usize,
}

impl Schedule {
    /// The schedule of a match with this number of engines and rounds.
    pub fn new(engines: usize, format: MatchFormat, rounds: usize) -> Schedule {
        let first_engines = match format {
            MatchFormat::RoundRobin => engines,
            MatchFormat::Gauntlet => engines.min(1),
        };
        let pairings = (0..first_engines)
            .flat_map(|first| (first + 1..engines).map(move |second| (first, second)))
            .collect::<Vec<_>>();
        let pairs = 0..pairings.len() * rounds;
        Schedule { pairings, pairs }
    }

    /// The schedule restricted to the pairs with these indices.
    pub fn restricted_to(self, pairs: Range<usize>) -> Schedule {
        Schedule { pairs, ..self }
    }

    /// The pairings, each as the indices of two engines, the lower index first.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether the schedule contains no pairs.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The indices of the pairs, which are ordered by round.
    pub fn pairs(&self) -> Range<usize> {
        self.pairs.clone()
    }

    /// The pair with this index; `None` if the schedule does not contain it.
    pub fn pair(&self, index: usize) -> Option<GamePair> {
        if !self.pairs.contains(&index) {
            return None;
        }
        let (first, second) = self.pairings[index % self.pairings.len()];
        Some(GamePair { index, round: index / self.pairings.len(), first, second })
    }
}

impl GamePair {
    /// The two games of the pair.
    pub fn slots(&self) -> [GameSlot; 2] {
        let GamePair { index: pair, first, second, .. } = *self;
        [
            GameSlot { pair, game: 0, white: first, black: second },
            GameSlot { pair, game: 1, white: second, black: first },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_engines_meet_in_each_round() {
        let schedule = Schedule::new(4, MatchFormat::RoundRobin, 3);
        assert_eq!(schedule.len(), 18);
        assert_eq!(schedule.pairings(), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        let pair = schedule.pair(7).unwrap();
        assert_eq!(pair, GamePair { index: 7, round: 1, first: 0, second: 2 });
        assert_eq!(schedule.pair(18), None);
        let [one, two] = pair.slots();
        assert_eq!((one.white, one.black, two.white, two.black), (0, 2, 2, 0));
    }

    #[test]
    fn the_first_engine_plays_a_gauntlet() {
        let schedule = Schedule::new(3, MatchFormat::Gauntlet, 2);
        assert_eq!(schedule.pairings(), [(0, 1), (0, 2)]);
        assert_eq!(schedule.len(), 4);
        assert!(Schedule::new(1, MatchFormat::RoundRobin, 2).is_empty());
    }
}
