//! The lines of a running search, on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::analysis::AnalysisLine;
use super::text;

/// The time between two drawings.
const TICK: Duration = Duration::from_millis(100);

/// A table on standard error, redrawn as the search gets deeper.
pub struct LiveTable(Option<ProgressBar>);

impl LiveTable {
    /// A table that is drawn only if `is_shown` is set and standard error is a terminal.
    pub fn new(is_shown: bool) -> LiveTable {
        let bar = is_shown.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            // The template is a constant and always valid.
            if let Ok(style) = ProgressStyle::with_template("{msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(TICK);
            bar
        });
        LiveTable(bar)
    }

    /// Shows these lines from now on.
    pub fn show<'a>(&self, lines: impl Iterator<Item = &'a AnalysisLine> + Clone) {
        if let Some(bar) = &self.0 {
            bar.set_message(text::table(lines));
        }
    }

    /// Removes the table after the search.
    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
