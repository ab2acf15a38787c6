//! Collects the games of a match that are played by several processes.

use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use crate::runtime::interrupt::Interrupt;
use crate::runtime::log::{LogFollower, LogSettings};

use super::plan::MatchPlan;
use super::played::{GameSlot, PlayedGame};
use super::runner::{Cause, GameRecorder, MatchProgress, RunEnding, RunError, count, openings};
use super::schedule::NextPair;

/// The logs of a match whose games are divided among several processes.
#[derive(Debug)]
pub struct MatchParts {
    /// The logs, in any order.
    pub logs: Vec<LogFollower>,
    /// The settings that all logs must share.
    pub settings: LogSettings,
    /// Whether to wait for missing games until the match is over.
    pub follows: bool,
}

/// Counts the games in the logs and passes each counted game to `record`. The games are counted in
/// the order of the schedule, as if one process had played them one at a time, so the verdict of
/// the sequential test does not depend on the speed of the processes.
///
/// # Errors
///
/// A log cannot be read or belongs to another match, or a game cannot be recorded.
pub fn join(
    plan: &MatchPlan,
    parts: MatchParts,
    progress: &mut MatchProgress,
    interrupt: &Interrupt,
    record: &mut GameRecorder<'_>,
) -> Result<RunEnding, RunError> {
    let sequence = openings(plan)?;
    let start = Instant::now();
    let cause = Joiner { plan, parts, found: HashMap::new() }.join(progress, interrupt, record)?;
    Ok(RunEnding::new(cause, start, &sequence))
}

struct Joiner<'a> {
    plan: &'a MatchPlan,
    parts: MatchParts,
    /// Games that have been read but not counted yet.
    found: HashMap<GameSlot, PlayedGame>,
}

impl Joiner<'_> {
    fn join(
        mut self,
        progress: &mut MatchProgress,
        interrupt: &Interrupt,
        record: &mut GameRecorder<'_>,
    ) -> Result<Cause, RunError> {
        /// The interval at which the logs are read again.
        const INTERVAL: Duration = Duration::from_millis(500);
        let mut schedule = self.plan.schedule();
        let mut has_gaps = false;
        self.read()?;
        // `NextPair::Wait` also ends the loop: it means that the games of an earlier pair are
        // missing.
        while let NextPair::Play(pair) = schedule.next(&progress.tally.pair_results) {
            for slot in pair.slots() {
                if self.plan.pairing_verdict(&progress.tally, pair.pairing()).is_some() {
                    continue;
                }
                while self.parts.follows && !self.found.contains_key(&slot) && !interrupt.is_set() {
                    thread::sleep(INTERVAL);
                    self.read()?;
                }
                let Some(played) = self.found.remove(&slot) else {
                    has_gaps = true;
                    continue;
                };
                let verdict =
                    count(self.plan, progress, record, &played).map_err(RunError::System)?;
                if let Some(verdict) = verdict {
                    return Ok(Cause::Decided(verdict));
                }
            }
        }
        Ok(match has_gaps {
            false => Cause::Complete,
            true if interrupt.is_set() => Cause::Interrupted,
            true => Cause::Incomplete,
        })
    }

    /// Reads the lines added to the logs since the last call.
    fn read(&mut self) -> Result<(), RunError> {
        let MatchParts { logs, settings, follows } = &mut self.parts;
        for log in logs {
            let read = log.read(settings, &mut |line| {
                let played = self.plan.logged_game(line)?;
                self.found.entry(played.slot).or_insert(played);
                Ok(())
            });
            match read {
                // The part that writes this log has not started.
                Err(error) if *follows && error.is_missing() => {}
                read => read.map_err(RunError::Log)?,
            }
        }
        Ok(())
    }
}
