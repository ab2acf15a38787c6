//! The progress of long-running work: a bar on a terminal, one line per minute elsewhere.

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use std::{panic, thread};

use indicatif::{HumanDuration, ProgressDrawTarget, ProgressStyle};

use crate::runtime::interrupt::Interrupt;
use crate::runtime::progress::ProgressCounter;

use super::output::print_stderr;

/// Shows rate, percentage and remaining time on standard error.
pub struct ProgressBar {
    bar: indicatif::ProgressBar,
    counter: ProgressCounter,
    unit: &'static str,
    /// The number of counter units in one unit of the bar.
    scale: u64,
    /// The time of the last line; `None` on a terminal, where the bar draws itself.
    last_line: Option<Cell<Instant>>,
}

/// The interval between lines.
const INTERVAL: Duration = Duration::from_secs(60);

impl ProgressBar {
    /// A bar for work of `total` units, `done` of which are already done.
    pub fn new(total: u64, done: u64, unit: &'static str) -> ProgressBar {
        ProgressBar::of(ProgressCounter::new(total, done, Interrupt::default()), 1, unit)
    }

    /// A bar that shows `counter`, with `scale` counter units in one unit of the bar.
    pub fn of(counter: ProgressCounter, scale: u64, unit: &'static str) -> ProgressBar {
        let is_terminal = io::stderr().is_terminal();
        let target =
            if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let total = counter.total().div_ceil(scale);
        let bar = indicatif::ProgressBar::with_draw_target(Some(total), target)
            .with_position(counter.done() / scale);
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
        let last_line = (!is_terminal).then(|| Cell::new(Instant::now()));
        ProgressBar { bar, counter, unit, scale, last_line }
    }

    /// Sets the number of units done, with a message for the end of the line.
    pub fn set(&self, done: u64, message: String) {
        self.counter.set(done);
        self.update(message);
    }

    /// Shows the state of the counter, with a message for the end of the line.
    fn update(&self, message: String) {
        self.bar.set_position(self.counter.done() / self.scale);
        match &self.last_line {
            Some(last) if last.get().elapsed() >= INTERVAL => {
                last.set(Instant::now());
                print_stderr(format_args!("{}", self.line(&message)));
            }
            Some(_) => {}
            None => self.bar.set_message(message),
        }
    }

    /// Writes lines to standard error, above the bar.
    pub fn note(&self, text: &str) {
        self.bar.suspend(|| print_stderr(format_args!("{}", text.trim_end())));
    }

    /// Calls `write` with standard output, to print above the bar.
    ///
    /// # Errors
    ///
    /// `write` fails.
    pub fn output(
        &self,
        write: impl FnOnce(&mut io::StdoutLock<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.bar.suspend(|| write(&mut io::stdout().lock()))
    }

    /// Runs `work` like [`ProgressBar::while_working`], then removes the bar.
    pub fn during<T: Send>(
        self,
        work: impl FnOnce(&ProgressCounter) -> T + Send,
        message: impl Fn(&ProgressCounter) -> String,
    ) -> T {
        let result = self.while_working(work, message);
        self.finish();
        result
    }

    /// Runs `work` on another thread while this one updates the bar. `message` is the text at the
    /// end of the line.
    pub fn while_working<T: Send>(
        &self,
        work: impl FnOnce(&ProgressCounter) -> T + Send,
        message: impl Fn(&ProgressCounter) -> String,
    ) -> T {
        /// The interval between updates.
        const INTERVAL: Duration = Duration::from_millis(100);
        let counter = &self.counter;
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            let worker = scope.spawn(move || sender.send(work(counter)));
            let result = loop {
                match receiver.recv_timeout(INTERVAL) {
                    Ok(result) => break Some(result),
                    Err(RecvTimeoutError::Timeout) => self.update(message(counter)),
                    Err(RecvTimeoutError::Disconnected) => break None,
                }
            };
            // The final state; without it, work shorter than the interval would never be shown.
            self.update(message(counter));
            let ended = worker.join();
            result.unwrap_or_else(|| match ended {
                Err(panic) => panic::resume_unwind(panic),
                Ok(_) => unreachable!("the worker sends its result unless it panics"),
            })
        })
    }

    /// Removes the bar at the end of the work.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, message: &str) -> String {
        let ProgressBar { counter, unit, scale, .. } = self;
        let (done, total) = (counter.done() / scale, counter.total().div_ceil(*scale));
        let (percent, rate) = (counter.percent(), counter.rate() / *scale as f64);
        let left = counter.time_left();
        let left = left.map_or("unknown time".to_owned(), |left| HumanDuration(left).to_string());
        format!("{done}/{total} {unit} ({percent} %), {rate:.2}/s, {left} left. {message}")
    }
}
