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

/// Decides which reports of one search are sent. Each line of the search has a pace of its own, and
/// is always the newest of its rank.
pub struct Throttle {
    begun: Instant,
    /// By rank, the best line first.
    lines: Vec<Line>,
}

impl Throttle {
    /// For a search that begins now.
    pub fn new(now: Instant) -> Throttle {
        Throttle { begun: now, lines: Vec::new() }
    }

    /// Lets a report through, or keeps it until it is due or the next one of its rank comes.
    pub fn admit(&mut self, report: Report, now: Instant) -> Option<Report> {
        let place = (report.rank as usize).saturating_sub(1);
        if place >= self.lines.len() {
            self.lines.resize_with(place + 1, || Line::new(self.begun));
        }
        self.lines[place].admit(report, now)
    }

    /// When the next report that is kept is due, if there is one.
    pub fn due(&self) -> Option<Instant> {
        self.lines.iter().filter_map(Line::due).min()
    }

    /// A report that was kept and is due. There may be more.
    pub fn release(&mut self, now: Instant) -> Option<Report> {
        self.lines.iter_mut().find_map(|line| line.release(now))
    }

    /// Whether no report has been let through.
    pub fn is_unused(&self) -> bool {
        self.lines.iter().all(Line::is_unused)
    }

    /// The reports that were kept: the search is over.
    pub fn withheld(self) -> Vec<Report> {
        self.lines.into_iter().filter_map(|line| line.withheld).collect()
    }
}

/// What is known of the reports of one rank.
struct Line {
    begun: Instant,
    sent: u32,
    last: Option<(Instant, Report)>,
    withheld: Option<Report>,
}

impl Line {
    fn new(begun: Instant) -> Line {
        Line { begun, sent: 0, last: None, withheld: None }
    }

    fn admit(&mut self, report: Report, now: Instant) -> Option<Report> {
        if self.is_repeated(&report) {
            return None;
        }
        self.withheld = Some(report);
        self.release(now)
    }

    /// When the report that is kept is due, if one is.
    fn due(&self) -> Option<Instant> {
        let then = self.last.as_ref().map_or(self.begun, |(then, _)| *then);
        Some(then + self.pace(self.withheld.as_ref()?))
    }

    /// The report that is kept, if it is due.
    fn release(&mut self, now: Instant) -> Option<Report> {
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

    /// Whether no report has been let through.
    fn is_unused(&self) -> bool {
        self.last.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn report(depth: u32, score: Score) -> Report {
        ranked(1, depth, score)
    }

    fn ranked(rank: u32, depth: u32, score: Score) -> Report {
        let (nodes, time, pv) = (0, Duration::ZERO, Vec::new());
        Report { rank, depth, mean_depth: 0.0, score, nodes, time, pv }
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
        assert_eq!((throttle.due(), throttle.withheld()), (None, Vec::new()));
    }

    #[test]
    fn repetitions_are_dropped() {
        let (mut throttle, now) = throttle();
        assert!(throttle.admit(report(1, Score(12)), now).is_some());
        assert!(throttle.admit(report(1, Score(12)), now).is_none());
        assert_eq!(throttle.withheld(), []);
    }

    #[test]
    fn the_last_report_is_not_lost() {
        let (mut throttle, now) = throttle();
        assert!(throttle.is_unused());
        throttle.admit(report(1, Score::win_in(5)), now);
        throttle.admit(report(2, Score::win_in(5)), now);
        assert!(!throttle.is_unused());
        assert_eq!(throttle.withheld(), [report(2, Score::win_in(5))]);
    }

    #[test]
    fn the_newest_of_each_rank_is_kept() {
        let begun = Instant::now();
        let mut throttle = Throttle::new(begun);
        for depth in 1..=3 {
            for rank in 1..=2 {
                assert!(throttle.admit(ranked(rank, depth, Score(12)), begun).is_none());
            }
        }
        assert!(throttle.is_unused());
        let now = begun + HASTE;
        assert_eq!(throttle.release(now), Some(ranked(1, 3, Score(12))));
        assert_eq!(throttle.due(), Some(begun + HASTE));
        assert_eq!(throttle.release(now), Some(ranked(2, 3, Score(12))));
        assert_eq!(throttle.release(now), None);
        throttle.admit(ranked(2, 4, Score(11)), now);
        assert_eq!(throttle.withheld(), [ranked(2, 4, Score(11))]);
    }

    #[test]
    fn a_line_that_is_proven_does_not_hold_back_the_others() {
        let (mut throttle, mut now) = throttle();
        let mut admitted = [0; 2];
        for depth in 1..=20 {
            now += PACE;
            for (rank, score) in [(1, Score::win_in(5)), (2, Score(12))] {
                let report = throttle.admit(ranked(rank, depth, score), now);
                admitted[rank as usize - 1] += usize::from(report.is_some());
            }
        }
        assert_eq!(admitted, [1, 20]);
    }
}
