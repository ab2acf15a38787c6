//! The progress of long-running work: a bar on a terminal, one line per minute elsewhere.

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};
use std::{panic, thread};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::print_stderr;

/// Shows rate, percentage and remaining time on standard error.
pub struct Bar {
    bar: ProgressBar,
    unit: &'static str,
    /// The units that were done before, and when the work began.
    first: u64,
    begun: Instant,
    /// When the last line was written; `None` on a terminal, where the bar draws itself.
    last_line: Option<Cell<Instant>>,
}

/// The interval between two lines.
const INTERVAL: Duration = Duration::from_secs(60);

impl Bar {
    /// Work of `total` units, `done` of which were done before.
    pub fn new(total: u64, done: u64, unit: &'static str) -> Bar {
        let is_terminal = io::stderr().is_terminal();
        let target =
            if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total), target).with_position(done);
        let template =
            format!("{{pos}}/{{len}} {unit} ({{percent}} %), {{per_sec}}, {{eta}} left. {{msg}}");
        // The template is constant except for the unit, so it is always valid.
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        bar.reset_eta();
        if is_terminal {
            bar.enable_steady_tick(Duration::from_secs(1));
        }
        let begun = Instant::now();
        let last_line = (!is_terminal).then(|| Cell::new(begun));
        Bar { bar, unit, first: done, begun, last_line }
    }

    /// Sets the number of units done, with a message for the end of the line.
    pub fn set(&self, done: u64, message: String) {
        self.bar.set_position(done);
        match &self.last_line {
            Some(last) if last.get().elapsed() >= INTERVAL => {
                last.set(Instant::now());
                print_stderr(format_args!("{}", self.line(done, &message)));
            }
            Some(_) => {}
            None => self.bar.set_message(message),
        }
    }

    /// Writes lines to standard error, above the bar.
    pub fn note(&self, text: &str) {
        self.bar.suspend(|| print_stderr(format_args!("{}", text.trim_end())));
    }

    /// Writes to standard output, above the bar.
    ///
    /// # Errors
    ///
    /// Those of `write`.
    pub fn output(
        &self,
        write: impl FnOnce(&mut io::StdoutLock<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.bar.suspend(|| write(&mut io::stdout().lock()))
    }

    /// Does all the work, as [`Bar::while_working`], and removes the bar.
    pub fn during<T: Send>(self, work: impl FnOnce() -> T + Send, look: impl Fn(&Bar)) -> T {
        let result = self.while_working(work, look);
        self.finish();
        result
    }

    /// Works on another thread while this one calls `look` to update the bar.
    pub fn while_working<T: Send>(
        &self,
        work: impl FnOnce() -> T + Send,
        look: impl Fn(&Bar),
    ) -> T {
        /// The interval between two updates.
        const INTERVAL: Duration = Duration::from_millis(100);
        thread::scope(|scope| {
            let worker = scope.spawn(work);
            while !worker.is_finished() {
                thread::sleep(INTERVAL);
                look(self);
            }
            worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
        })
    }

    /// Removes the bar at the end of the work.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, done: u64, message: &str) -> String {
        let total = self.bar.length().unwrap_or(done).max(1);
        let rate = (done - self.first) as f64 / self.begun.elapsed().as_secs_f64();
        let left = Duration::try_from_secs_f64((total - done.min(total)) as f64 / rate);
        let left = left.map_or("unknown time".to_owned(), |left| HumanDuration(left).to_string());
        let percent = 100 * done / total;
        format!("{done}/{total} {} ({percent} %), {rate:.2}/s, {left} left. {message}", self.unit)
    }
}
