//! How far long work is: a line that changes on a terminal, a line a minute elsewhere.

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::panic;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::notice::notice;

/// Shows rate, share done and time left on standard error.
pub struct Bar {
    bar: ProgressBar,
    unit: &'static str,
    /// Where the work stood when it began, and when that was.
    first: u64,
    begun: Instant,
    /// When the last line was written; `None` on a terminal, where the bar draws itself.
    last_line: Option<Cell<Instant>>,
}

/// Between two lines.
const INTERVAL: Duration = Duration::from_secs(60);

impl Bar {
    /// Work of `total` units, of which `done` were done before.
    pub fn new(total: u64, done: u64, unit: &'static str) -> Bar {
        let is_terminal = io::stderr().is_terminal();
        let target =
            if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total), target).with_position(done);
        let template =
            format!("{{pos}}/{{len}} {unit} ({{percent}} %), {{per_sec}}, {{eta}} left. {{msg}}");
        // The template is a constant but for the unit, so the style is always there.
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

    /// The work stands at `done` units; `message` says what else is of interest.
    pub fn set(&self, done: u64, message: String) {
        self.bar.set_position(done);
        match &self.last_line {
            Some(last) if last.get().elapsed() >= INTERVAL => {
                last.set(Instant::now());
                notice(format_args!("{}", self.line(done, &message)));
            }
            Some(_) => {}
            None => self.bar.set_message(message),
        }
    }

    /// Works on another thread while this one has `look` bring the bar up to date.
    pub fn during<T: Send>(self, work: impl FnOnce() -> T + Send, look: impl Fn(&Bar)) -> T {
        /// Between two looks.
        const INTERVAL: Duration = Duration::from_millis(100);
        thread::scope(|scope| {
            let worker = scope.spawn(work);
            while !worker.is_finished() {
                thread::sleep(INTERVAL);
                look(&self);
            }
            self.finish();
            worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
        })
    }

    /// The work is over; the line goes away.
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
