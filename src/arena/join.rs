//! Joining a match that several processes play, each a part of it: reads their logs, and counts
//! the games in the order of the match.

use std::collections::HashMap;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use super::openings;
use super::plan::MatchPlan;
use super::played::{GameSlot, PlayedGame};
use super::runner::{Cause, MatchProgress, RunEnding, RunError};
use super::stats::SprtVerdict;
use crate::runtime::interrupt::Interrupt;
use crate::runtime::log::{GrowingLog, LogSettings};

/// The time between two looks at the logs.
const INTERVAL: Duration = Duration::from_millis(500);

/// The logs of the parts of a match.
#[derive(Debug)]
pub struct MatchParts {
    /// The logs, in any order.
    pub logs: Vec<GrowingLog>,
    /// The settings that all of them must have.
    pub settings: LogSettings,
    /// Whether to wait for games until the match is over.
    pub follows: bool,
}

/// Counts the games in the logs. Each is passed to `keep` when it counts. As in a match that one
/// process plays one game at a time, the sequential test sees the games in the order of the match,
/// so its verdict does not depend on which process was faster.
///
/// # Errors
///
/// A log cannot be read or is that of another match, or the caller failed to keep a game.
pub fn join(
    plan: &MatchPlan,
    parts: MatchParts,
    progress: &mut MatchProgress,
    interrupt: &Interrupt,
    keep: &mut dyn FnMut(&PlayedGame, &MatchProgress) -> io::Result<()>,
) -> Result<RunEnding, RunError> {
    let drawn =
        openings::draw(plan.variant, &plan.openings, plan.random_plies, plan.seed, plan.rounds)
            .map_err(RunError::Openings)?;
    let begun = Instant::now();
    let cause = Joiner { plan, parts, progress, keep, found: HashMap::new() }.join(interrupt)?;
    Ok(RunEnding {
        cause,
        wall: begun.elapsed(),
        busy: Duration::ZERO,
        thinking: Duration::ZERO,
        openings: drawn.distinct,
        skipped_openings: drawn.skipped,
    })
}

struct Joiner<'a> {
    plan: &'a MatchPlan,
    parts: MatchParts,
    progress: &'a mut MatchProgress,
    keep: &'a mut dyn FnMut(&PlayedGame, &MatchProgress) -> io::Result<()>,
    /// Games that have been read but not counted yet.
    found: HashMap<GameSlot, PlayedGame>,
}

impl Joiner<'_> {
    fn join(mut self, interrupt: &Interrupt) -> Result<Cause, RunError> {
        let schedule = self.plan.schedule();
        let pairs = schedule.pairs().filter_map(|index| schedule.pair(index));
        let mut has_gaps = false;
        self.read()?;
        for slot in pairs.flat_map(|pair| pair.slots()) {
            while self.parts.follows && !self.found.contains_key(&slot) && !interrupt.is_set() {
                thread::sleep(INTERVAL);
                self.read()?;
            }
            let Some(played) = self.found.remove(&slot) else {
                has_gaps = true;
                continue;
            };
            if let Some(verdict) = self.count(&played)? {
                return Ok(Cause::Decided(verdict));
            }
        }
        Ok(match has_gaps {
            false => Cause::Complete,
            true if interrupt.is_set() => Cause::Interrupted,
            true => Cause::Incomplete,
        })
    }

    /// Reads what the logs have gained.
    fn read(&mut self) -> Result<(), RunError> {
        let MatchParts { logs, settings, follows } = &mut self.parts;
        for log in logs {
            let read = log.read(settings, &mut |line| {
                let played: PlayedGame =
                    serde_json::from_slice(line).map_err(|error| error.to_string())?;
                self.found.entry(played.slot).or_insert(played);
                Ok(())
            });
            match read {
                // Its part has not begun.
                Err(error) if *follows && error.is_missing() => {}
                read => read.map_err(RunError::Log)?,
            }
        }
        Ok(())
    }

    /// Counts and keeps a game. Returns the verdict of the sequential test if this game decides it.
    fn count(&mut self, played: &PlayedGame) -> Result<Option<SprtVerdict>, RunError> {
        self.progress.add(played);
        (self.keep)(played, self.progress).map_err(RunError::System)?;
        Ok(self.plan.verdict(&self.progress.tally))
    }
}
