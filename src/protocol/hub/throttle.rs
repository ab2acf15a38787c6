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

/// Decides which reports of one search are sent: of each line always the newest, and of several
/// lines together no more than of one.
pub struct Throttle {
    begun: Instant,
    sent: u32,
    /// By rank, the best line first.
    lines: Vec<Line>,
}

/// The reports of one rank.
#[derive(Default)]
struct Line {
    /// What was sent last, and when.
    last: Option<(Instant, Report)>,
    withheld: Option<Report>,
}

impl Throttle {
    /// For a search that begins now.
    pub fn new(now: Instant) -> Throttle {
        Throttle { begun: now, sent: 0, lines: Vec::new() }
    }

    /// Lets a report through, or keeps it until it is due or the next one of its rank comes.
    pub fn admit(&mut self, report: Report, now: Instant) -> Option<Report> {
        let index = (report.rank as usize).saturating_sub(1);
        if index >= self.lines.len() {
            self.lines.resize_with(index + 1, Line::default);
        }
        let line = &mut self.lines[index];
        if line.is_repeated(&report) {
            return None;
        }
        line.withheld = Some(report);
        self.release_line(index, now)
    }

    /// When the next report that is kept is due, if there is one.
    pub fn due(&self) -> Option<Instant> {
        self.lines.iter().filter_map(|line| self.due_of(line)).min()
    }

    /// A report that was kept and is due. There may be more.
    pub fn release(&mut self, now: Instant) -> Option<Report> {
        (0..self.lines.len()).find_map(|index| self.release_line(index, now))
    }

    /// Whether no report has been let through.
    pub fn is_unused(&self) -> bool {
        self.sent == 0
    }

    /// The reports that were kept, the best line first: the search is over.
    pub fn withheld(self) -> Vec<Report> {
        self.lines.into_iter().filter_map(|line| line.withheld).collect()
    }

    fn release_line(&mut self, index: usize, now: Instant) -> Option<Report> {
        self.due_of(&self.lines[index]).filter(|&due| due <= now)?;
        let line = &mut self.lines[index];
        let report = line.withheld.take()?;
        line.last = Some((now, report.clone()));
        self.sent += 1;
        Some(report)
    }

    fn due_of(&self, line: &Line) -> Option<Instant> {
        let then = line.last.as_ref().map_or(self.begun, |(then, _)| *then);
        let pace = if line.is_old_news(line.withheld.as_ref()?) {
            PROVEN_PACE
        } else if self.sent < FREE {
            HASTE
        } else {
            PACE
        };
        Some(then + pace * self.lines.len() as u32)
    }
}

impl Line {
    /// Whether the last report said the same: a search repeats itself when it ends.
    fn is_repeated(&self, report: &Report) -> bool {
        let said = |report: &Report| (report.depth, report.nodes, report.score);
        let last = self.last.as_ref().map(|(_, last)| last);
        last.is_some_and(|last| said(last) == said(report) && last.pv == report.pv)
    }

    /// Whether a report proves what the last one has proven already.
    fn is_old_news(&self, report: &Report) -> bool {
        let last = self.last.as_ref().map(|(_, last)| last.score);
        report.score.is_decisive() && last == Some(report.score)
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
        let now = begun + 2 * HASTE;
        assert_eq!(throttle.release(now), Some(ranked(1, 3, Score(12))));
        assert_eq!(throttle.due(), Some(now));
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

    #[test]
    fn many_lines_are_no_more_than_one() {
        let start = Instant::now();
        let count = |ranks: u32| {
            let mut throttle = Throttle::new(start);
            let reports = (0..10_000).flat_map(|depth| (1..=ranks).map(move |rank| (depth, rank)));
            let sent = reports.filter(|&(depth, rank)| {
                throttle.admit(ranked(rank, depth, Score(12)), start + HASTE * depth).is_some()
            });
            sent.count()
        };
        assert!(count(30) <= count(1) + 60, "{} and {}", count(30), count(1));
    }
}
