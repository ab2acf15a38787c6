//! Keeping applied steps: in the log and as JSON; and showing the progress of the tuning.

use std::io::{self, Write};
use std::time::Instant;

use crate::arena::log::{Log, LogWords};
use crate::arena::tune::board::TuneEvent;
use crate::arena::tune::plan::TunePlan;
use crate::arena::tune::tuner::{AppliedStep, PairResult, Tuner};
use crate::cli::Error;
use crate::cli::progress::Bar;

use super::Arguments;
use super::text;

/// The words of the log.
const WORDS: LogWords = LogWords { work: "tuning", part: "step" };

/// Every so many parts of the steps, the table of the numbers is shown.
const TABLES: usize = 10;

/// Where applied steps go.
pub struct StepKeeper {
    log: Option<Log>,
    has_json: bool,
    bar: Bar,
    begun: Instant,
    games_before: u64,
}

impl StepKeeper {
    /// Opens the log; the steps in it are applied to the tuner.
    pub fn open(
        arguments: &Arguments,
        plan: &TunePlan,
        tuner: &mut Tuner,
    ) -> Result<StepKeeper, Error> {
        let settings = arguments.settings(plan);
        let mut replay = |line: &[u8]| {
            let step = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            tuner.replay(&step)
        };
        let open = |path| Log::open(path, WORDS, &settings, &mut replay);
        let log = arguments.log.as_deref().map(open).transpose()?;
        let games_before = tuner.ended_games();
        let bar = Bar::new(plan.tuner.length.all_games(), games_before, "games");
        Ok(StepKeeper { log, has_json: arguments.json, bar, begun: Instant::now(), games_before })
    }

    /// Keeps what has happened, and shows the progress.
    pub fn keep(&mut self, event: TuneEvent<'_>, tuner: &Tuner) -> io::Result<()> {
        match event {
            TuneEvent::Pair(PairResult::Played(_)) => {}
            TuneEvent::Pair(PairResult::Faulty(what)) => {
                self.bar.note(&format!("a pair of games does not count: {what}"));
            }
            TuneEvent::Step(step) => self.keep_step(step, tuner)?,
        }
        self.bar.set(tuner.ended_games(), self.message(tuner));
        Ok(())
    }

    fn keep_step(&mut self, step: &AppliedStep, tuner: &Tuner) -> io::Result<()> {
        if let Some(log) = &mut self.log {
            log.add(step)?;
        }
        if self.has_json {
            writeln!(io::stdout(), "{}", serde_json::to_string(step)?)?;
        }
        let steps = tuner.settings().length.steps;
        let part = |step: usize| step * TABLES / steps;
        if part(step.step) != part(step.step - 1) && !tuner.is_finished() {
            self.bar.note(&text::table(tuner));
        }
        Ok(())
    }

    /// Games an hour, and the values of the first numbers.
    fn message(&self, tuner: &Tuner) -> String {
        let games = (tuner.ended_games() - self.games_before) as f64;
        let rate = 3600.0 * games / self.begun.elapsed().as_secs_f64();
        format!("{rate:.0} games/h. {}", text::values(tuner))
    }

    /// Removes the progress bar.
    pub fn finish(&self) {
        self.bar.finish();
    }
}
