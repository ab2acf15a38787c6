//! The lines of a search while it runs, on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::analysis::Line;
use super::text;

/// Between two drawings.
const TICK: Duration = Duration::from_millis(100);

/// A table on standard error that is drawn anew as the search gets deeper.
pub struct Live(Option<ProgressBar>);

impl Live {
    /// Draws nothing if it is not wanted, or if nobody would see it.
    pub fn new(is_wanted: bool) -> Live {
        let bar = is_wanted.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            // The template is a constant, so the style is always there.
            if let Ok(style) = ProgressStyle::with_template("{msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(TICK);
            bar
        });
        Live(bar)
    }

    /// Shows these lines from now on.
    pub fn show<'a>(&self, lines: impl Iterator<Item = &'a Line> + Clone) {
        if let Some(bar) = &self.0 {
            bar.set_message(text::table(lines));
        }
    }

    /// The search is over; the table goes away.
    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
