//! A limit on the rate of `info` lines: in a solved position every iteration ends at once.

use std::time::Duration;

use crate::instant::Instant;
use crate::search::Info;

/// The minimum interval between the first [`FREE`] lines of a search: a very short search sends one
/// line, not one per iteration.
const HASTE: Duration = Duration::from_millis(1);
/// The number of lines after which the interval becomes [`PACE`].
const FREE: u32 = 40;
/// The minimum interval between later lines.
const PACE: Duration = Duration::from_millis(50);
/// The minimum interval between lines that repeat a proven score.
const PROVEN_PACE: Duration = Duration::from_secs(1);

/// Decides which information of one search is sent: for each rank always the newest, and for
/// several ranks together no more than for one.
pub struct Throttle {
    begun: Instant,
    sent: u32,
    /// The state of each rank, the best line first.
    lines: Vec<RankedLine>,
}

/// The information of one rank.
#[derive(Default)]
struct RankedLine {
    /// The time and content of the last line sent.
    last: Option<(Instant, Info)>,
    withheld: Option<Info>,
}

impl Throttle {
    /// A throttle for a search that starts at `now`.
    pub fn new(now: Instant) -> Throttle {
        Throttle { begun: now, sent: 0, lines: Vec::new() }
    }

    /// Admits information, or withholds it until it is due or superseded by newer information of
    /// its rank.
    pub fn admit(&mut self, info: Info, now: Instant) -> Option<Info> {
        let index = (info.rank as usize).saturating_sub(1);
        if index >= self.lines.len() {
            self.lines.resize_with(index + 1, RankedLine::default);
        }
        let line = &mut self.lines[index];
        if line.is_repeated(&info) {
            return None;
        }
        line.withheld = Some(info);
        self.release_line(index, now)
    }

    /// When withheld information is next due; `None` if nothing is withheld.
    pub fn due(&self) -> Option<Instant> {
        self.lines.iter().filter_map(|line| self.due_of(line)).min()
    }

    /// Withheld information that is due. There may be more.
    pub fn release(&mut self, now: Instant) -> Option<Info> {
        (0..self.lines.len()).find_map(|index| self.release_line(index, now))
    }

    /// Whether nothing has been admitted so far.
    pub fn is_unused(&self) -> bool {
        self.sent == 0
    }

    /// All withheld information at the end of the search, the best line first.
    pub fn withheld(self) -> Vec<Info> {
        self.lines.into_iter().filter_map(|line| line.withheld).collect()
    }

    fn release_line(&mut self, index: usize, now: Instant) -> Option<Info> {
        self.due_of(&self.lines[index]).filter(|&due| due <= now)?;
        let line = &mut self.lines[index];
        let info = line.withheld.take()?;
        line.last = Some((now, info.clone()));
        self.sent += 1;
        Some(info)
    }

    fn due_of(&self, line: &RankedLine) -> Option<Instant> {
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

impl RankedLine {
    /// Whether the last line had the same content: a search repeats its result when it ends.
    fn is_repeated(&self, info: &Info) -> bool {
        let said = |info: &Info| (info.depth, info.nodes, info.score);
        let last = self.last.as_ref().map(|(_, last)| last);
        last.is_some_and(|last| said(last) == said(info) && last.pv == info.pv)
    }

    /// Whether the last line had the same proven score.
    fn is_old_news(&self, info: &Info) -> bool {
        let last = self.last.as_ref().map(|(_, last)| last.score);
        info.score.is_decisive() && last == Some(info.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn unranked(depth: u32, score: Score) -> Info {
        ranked(1, depth, score)
    }

    fn ranked(rank: u32, depth: u32, score: Score) -> Info {
        let (nodes, time, pv) = (0, Duration::ZERO, Vec::new());
        Info { rank, depth, mean_depth: 0.0, score, nodes, time, pv }
    }

    /// A throttle, and an instant at which it admits the next information.
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
                throttle.admit(unranked(depth, score), now).is_some()
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
        assert!(throttle.admit(unranked(1, Score(12)), begun).is_none());
        assert!(throttle.admit(unranked(2, Score(12)), begun).is_none());
        assert_eq!(throttle.due(), Some(begun + HASTE));
        assert_eq!(throttle.release(begun), None);
        assert_eq!(throttle.release(begun + HASTE), Some(unranked(2, Score(12))));
        assert_eq!((throttle.due(), throttle.withheld()), (None, Vec::new()));
    }

    #[test]
    fn repetitions_are_dropped() {
        let (mut throttle, now) = throttle();
        assert!(throttle.admit(unranked(1, Score(12)), now).is_some());
        assert!(throttle.admit(unranked(1, Score(12)), now).is_none());
        assert_eq!(throttle.withheld(), []);
    }

    #[test]
    fn the_last_report_is_not_lost() {
        let (mut throttle, now) = throttle();
        assert!(throttle.is_unused());
        throttle.admit(unranked(1, Score::win_in(5)), now);
        throttle.admit(unranked(2, Score::win_in(5)), now);
        assert!(!throttle.is_unused());
        assert_eq!(throttle.withheld(), [unranked(2, Score::win_in(5))]);
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
                let info = throttle.admit(ranked(rank, depth, score), now);
                admitted[rank as usize - 1] += usize::from(info.is_some());
            }
        }
        assert_eq!(admitted, [1, 20]);
    }

    #[test]
    fn many_lines_are_no_more_than_one() {
        let start = Instant::now();
        let count = |ranks: u32| {
            let mut throttle = Throttle::new(start);
            let infos = (0..10_000).flat_map(|depth| (1..=ranks).map(move |rank| (depth, rank)));
            let sent = infos.filter(|&(depth, rank)| {
                throttle.admit(ranked(rank, depth, Score(12)), start + HASTE * depth).is_some()
            });
            sent.count()
        };
        assert!(count(30) <= count(1) + 60, "{} and {}", count(30), count(1));
    }
}
