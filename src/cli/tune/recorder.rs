//! Records applied steps in the log and as JSON, and shows the progress of the tuning.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::arena::tune::{
    AppliedStep, FinishedPair, PairResult, TuneEvent, TunePlan, Tuner, chart,
};
use crate::cli::Error;
use crate::cli::progress::ProgressBar;
use crate::runtime::log::{Log, LogLabels};
use crate::storage::{self, write_atomically};

use super::{Arguments, summary};

/// The names used in messages about the log.
const LABELS: LogLabels = LogLabels { work: "tuning", part: "step" };
/// The names used in messages about the log of a part.
pub const PAIR_LABELS: LogLabels = LogLabels { work: "tuning", part: "pair of games" };

/// The minimum interval between printed tables of the parameters.
const TABLE_INTERVAL: Duration = Duration::from_secs(60);
/// The number of tables printed during a long run.
const TABLES: usize = 10;

/// The interval between plots.
const PICTURE_INTERVAL: Duration = Duration::from_secs(60);

/// Records applied steps in the requested outputs.
pub struct StepRecorder {
    log: Option<Log>,
    has_json: bool,
    bar: ProgressBar,
    svg: Option<PathBuf>,
    begun: Instant,
    games_before: u64,
    /// The time at which the table of the parameters was last printed.
    table_shown: Instant,
    /// The time at which the plot was last drawn.
    picture_drawn: Instant,
}

impl StepRecorder {
    /// Opens the log and applies the steps in it to the tuner.
    pub fn open(
        arguments: &Arguments,
        plan: &TunePlan,
        tuner: &mut Tuner,
    ) -> Result<StepRecorder, Error> {
        let settings = arguments.settings(plan);
        let open = |path| match tuner.is_part() {
            true => Log::open(path, PAIR_LABELS, &settings, &mut |line| tuner.add_logged(line)),
            false => Log::open(path, LABELS, &settings, &mut |line| {
                tuner.replay(&AppliedStep::parse(line)?)
            }),
        };
        let log = arguments.log.as_deref().map(open).transpose()?;
        arguments.svg.as_deref().map_or(Ok(()), |path| draw(path, tuner))?;
        let games_before = tuner.finished_games();
        let bar = ProgressBar::new(plan.tuner.length.all_games(), games_before, "games");
        let now = Instant::now();
        Ok(StepRecorder {
            log,
            has_json: arguments.json,
            bar,
            svg: arguments.svg.clone(),
            begun: now,
            games_before,
            table_shown: now,
            picture_drawn: now,
        })
    }

    /// Records an event, and shows the progress.
    pub fn record(&mut self, event: TuneEvent<'_>, tuner: &Tuner) -> io::Result<()> {
        match event {
            TuneEvent::Pair(pair) => self.record_pair(pair, tuner)?,
            TuneEvent::Step(step) => self.record_step(step, tuner)?,
        }
        self.bar.set(tuner.finished_games(), self.message(tuner));
        Ok(())
    }

    fn record_pair(&mut self, pair: &FinishedPair, tuner: &Tuner) -> io::Result<()> {
        if let PairResult::Faulty(what) = &pair.result {
            self.bar.note(&format!("a pair of games does not count: {what}"));
        }
        match &mut self.log {
            Some(log) if tuner.is_part() => log.add(pair),
            _ => Ok(()),
        }
    }

    fn record_step(&mut self, step: &AppliedStep, tuner: &Tuner) -> io::Result<()> {
        // The log of a part contains pairs instead of steps.
        if let Some(log) = &mut self.log
            && !tuner.is_part()
        {
            log.add(step)?;
        }
        if self.has_json {
            writeln!(io::stdout(), "{}", serde_json::to_string(step)?)?;
        }
        let steps = tuner.settings().length.steps;
        let part = |step: usize| step * TABLES / steps;
        if part(step.step) != part(step.step - 1)
            && !tuner.is_finished()
            && has_passed(&mut self.table_shown, TABLE_INTERVAL)
        {
            self.bar.note(&summary::table(tuner));
        }
        if let Some(path) = &self.svg
            && has_passed(&mut self.picture_drawn, PICTURE_INTERVAL)
        {
            draw(path, tuner)?;
        }
        Ok(())
    }

    /// The games per hour and the values of the first parameters.
    fn message(&self, tuner: &Tuner) -> String {
        let games = (tuner.finished_games() - self.games_before) as f64;
        let rate = 3600.0 * games / self.begun.elapsed().as_secs_f64();
        format!("{rate:.0} games/h. {}", summary::values(tuner))
    }

    /// Removes the progress bar and draws the final plot.
    pub fn finish(&self, tuner: &Tuner) -> io::Result<()> {
        self.bar.finish();
        self.svg.as_deref().map_or(Ok(()), |path| draw(path, tuner))
    }
}

fn draw(path: &Path, tuner: &Tuner) -> io::Result<()> {
    write_atomically(path, |file| file.write_all(chart(tuner).as_bytes()))
        .map(drop)
        .map_err(storage::with_path(path))
}

/// Whether `interval` has passed since `last`; if so, sets `last` to the current time.
fn has_passed(last: &mut Instant, interval: Duration) -> bool {
    let has_passed = last.elapsed() >= interval;
    if has_passed {
        *last = Instant::now();
    }
    has_passed
}
