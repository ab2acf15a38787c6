//! Keeps the number of `info` lines down: a solved position takes no time a depth.

use std::time::{Duration, Instant};

use super::player::Report;

/// One in this time at the most: a search of a moment sends one line, not one a depth.
const HASTE: Duration = Duration::from_millis(1);
/// After so many lines of a search
const FREE: u32 = 40;
/// one in this time.
const PACE: Duration = Duration::from_millis(50);
/// A result that is proven is worth repeating this slowly.
const PROVEN_PACE: Duration = Duration::from_secs(1);

/// Decides which reports of one search are sent.
pub struct Throttle {
    begun: Instant,
    sent: u32,
    last: Option<(Instant, Report)>,
    withheld: Option<Report>,
}

impl Throttle {
    /// For a search that begins now.
    pub fn new(now: Instant) -> Throttle {
        Throttle { begun: now, sent: 0, last: None, withheld: None }
    }

    /// Lets a report through, or keeps it until it is due or the next one comes.
    pub fn admit(&mut self, report: Report, now: Instant) -> Option<Report> {
        if self.is_repeated(&report) {
            return None;
        }
        self.withheld = Some(report);
        self.release(now)
    }

    /// When the report that is kept is due, if one is.
    pub fn due(&self) -> Option<Instant> {
        let then = self.last.as_ref().map_or(self.begun, |(then, _)| *then);
        Some(then + self.pace(self.withheld.as_ref()?))
    }

    /// The report that is kept, if it is due.
    pub fn release(&mut self, now: Instant) -> Option<Report> {
        self.due().filter(|&due| due <= now)?;
        let report = self.withheld.take()?;
        self.sent += 1;
        self.last = Some((now, report.clone()));
        Some(report)
    }

    /// Whether the last report said the same: a search repeats itself when it ends.
    fn is_repeated(&self, report: &Report) -> bool {
        let said = |report: &Report| (report.depth, report.nodes, report.score);
        let last = self.last.as_ref().map(|(_, last)| last);
        last.is_some_and(|last| said(last) == said(report) && last.pv == report.pv)
    }

    /// How long after the last report this one is due.
    fn pace(&self, report: &Report) -> Duration {
        if self.is_old_news(report) {
            PROVEN_PACE
        } else if self.sent < FREE {
            HASTE
        } else {
            PACE
        }
    }

    /// Whether a report proves what the last one has proven already.
    fn is_old_news(&self, report: &Report) -> bool {
        let last = self.last.as_ref().map(|(_, last)| last.score);
        report.score.is_decisive() && last == Some(report.score)
    }

    /// Whether no report has come.
    pub fn is_unused(&self) -> bool {
        self.last.is_none()
    }

    /// The last report, if it was kept: the search is over.
    pub fn withheld(self) -> Option<Report> {
        self.withheld
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn report(depth: u32, score: Score) -> Report {
        Report { depth, mean_depth: 0.0, score, nodes: 0, time: Duration::ZERO, pv: Vec::new() }
    }

    /// A throttle, and a time at which it lets the next report through.
    fn throttle() -> (Throttle, Instant) {
        let begun = Instant::now();
        (Throttle::new(begun), begun + HASTE)
    }

    fn admitted(score: Score, gap: Duration) -> usize {
        let start = Instant::now();
        let mut throttle = Throttle::new(start);
        (0..100)
            .filter(|&depth| {
                let now = start + gap * depth;
                throttle.admit(report(depth, score), now).is_some()
            })
            .count()
    }

    #[test]
    fn floods_are_held_back() {
        assert_eq!(admitted(Score(12), Duration::ZERO), 0);
        assert_eq!(admitted(Score(12), HASTE), FREE as usize + 1);
        assert_eq!(admitted(Score::win_in(5), HASTE), 1);
        assert_eq!(admitted(Score::win_in(5), Duration::from_millis(100)), 10);
        assert_eq!(admitted(Score(12), Duration::from_millis(100)), 99);
    }

    #[test]
    fn what_is_kept_comes_when_it_is_due() {
        let begun = Instant::now();
        let mut throttle = Throttle::new(begun);
        assert_eq!(throttle.due(), None);
        assert!(throttle.admit(report(1, Score(12)), begun).is_none());
        assert!(throttle.admit(report(2, Score(12)), begun).is_none());
        assert_eq!(throttle.due(), Some(begun + HASTE));
        assert_eq!(throttle.release(begun), None);
        assert_eq!(throttle.release(begun + HASTE), Some(report(2, Score(12))));
        assert_eq!((throttle.due(), throttle.withheld()), (None, None));
    }

    #[test]
    fn repetitions_are_dropped() {
        let (mut throttle, now) = throttle();
        assert!(throttle.admit(report(1, Score(12)), now).is_some());
        assert!(throttle.admit(report(1, Score(12)), now).is_none());
        assert!(throttle.withheld().is_none());
    }

    #[test]
    fn the_last_report_is_not_lost() {
        let (mut throttle, now) = throttle();
        assert!(throttle.is_unused());
        throttle.admit(report(1, Score::win_in(5)), now);
        throttle.admit(report(2, Score::win_in(5)), now);
        assert!(!throttle.is_unused());
        assert_eq!(throttle.withheld(), Some(report(2, Score::win_in(5))));
    }
}
