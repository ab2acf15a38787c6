//! Limits the rate of `info` lines. In a solved position, each iteration completes almost
//! immediately and would otherwise flood the client.

use std::time::Duration;

use crate::instant::Instant;
use crate::search::Info;

/// The minimum interval between the first [`FIRST_LINES`] lines of a search, so that a very short
/// search sends one line instead of one per iteration.
const FIRST_INTERVAL: Duration = Duration::from_millis(1);
/// The number of lines after which the interval becomes [`INTERVAL`].
const FIRST_LINES: u32 = 40;
/// The minimum interval between later lines.
const INTERVAL: Duration = Duration::from_millis(50);
/// The minimum interval between lines that repeat a proven score.
const PROVEN_INTERVAL: Duration = Duration::from_secs(1);

/// Decides which info lines of a search are sent. Only the latest one for each rank is sent, and
/// several ranks together send no more lines than a single rank.
pub struct Throttle {
    started: Instant,
    sent: u32,
    /// The state of each rank, the best line first.
    ranks: Vec<RankState>,
}

/// The info lines of one rank.
#[derive(Default)]
struct RankState {
    /// The time and content of the last line sent.
    last: Option<(Instant, Info)>,
    withheld: Option<Info>,
}

impl Throttle {
    /// A throttle for a search that starts at `now`.
    pub fn new(now: Instant) -> Throttle {
        Throttle { started: now, sent: 0, ranks: Vec::new() }
    }

    /// Returns `info` if it may be sent now; otherwise holds it back until it is due or replaced by
    /// newer info for the same rank.
    pub fn admit(&mut self, info: Info, now: Instant) -> Option<Info> {
        let index = (info.rank as usize).saturating_sub(1);
        if index >= self.ranks.len() {
            self.ranks.resize_with(index + 1, RankState::default);
        }
        let rank = &mut self.ranks[index];
        if rank.is_repeated(&info) {
            return None;
        }
        rank.withheld = Some(info);
        self.release_rank(index, now)
    }

    /// The time at which withheld info is next due; `None` if nothing is withheld.
    pub fn due(&self) -> Option<Instant> {
        self.ranks.iter().filter_map(|rank| self.due_of(rank)).min()
    }

    /// Returns withheld info that is due, one item per call.
    pub fn release(&mut self, now: Instant) -> Option<Info> {
        (0..self.ranks.len()).find_map(|index| self.release_rank(index, now))
    }

    /// Whether nothing has been sent so far.
    pub fn is_unused(&self) -> bool {
        self.sent == 0
    }

    /// All info still withheld at the end of the search, best line first.
    pub fn withheld(self) -> Vec<Info> {
        self.ranks.into_iter().filter_map(|rank| rank.withheld).collect()
    }

    fn release_rank(&mut self, index: usize, now: Instant) -> Option<Info> {
        self.due_of(&self.ranks[index]).filter(|&due| due <= now)?;
        let rank = &mut self.ranks[index];
        let info = rank.withheld.take()?;
        rank.last = Some((now, info.clone()));
        self.sent += 1;
        Some(info)
    }

    fn due_of(&self, rank: &RankState) -> Option<Instant> {
        let last_time = rank.last.as_ref().map_or(self.started, |(time, _)| *time);
        let interval = if rank.repeats_proven_score(rank.withheld.as_ref()?) {
            PROVEN_INTERVAL
        } else if self.sent < FIRST_LINES {
            FIRST_INTERVAL
        } else {
            INTERVAL
        };
        Some(last_time + interval * self.ranks.len() as u32)
    }
}

impl RankState {
    /// Whether the last line had the same content: a search repeats its result at the end.
    fn is_repeated(&self, info: &Info) -> bool {
        let content = |info: &Info| (info.depth, info.nodes, info.score);
        let last = self.last.as_ref().map(|(_, last)| last);
        last.is_some_and(|last| content(last) == content(info) && last.pv == info.pv)
    }

    /// Whether the last line had the same proven score.
    fn repeats_proven_score(&self, info: &Info) -> bool {
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

    /// A throttle, and an instant at which it admits the next info.
    fn throttle() -> (Throttle, Instant) {
        let started = Instant::now();
        (Throttle::new(started), started + FIRST_INTERVAL)
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
    fn limits_the_rate_of_lines() {
        assert_eq!(admitted(Score(12), Duration::ZERO), 0);
        assert_eq!(admitted(Score(12), FIRST_INTERVAL), FIRST_LINES as usize + 1);
        assert_eq!(admitted(Score::win_in(5), FIRST_INTERVAL), 1);
        assert_eq!(admitted(Score::win_in(5), Duration::from_millis(100)), 10);
        assert_eq!(admitted(Score(12), Duration::from_millis(100)), 99);
    }

    #[test]
    fn releases_withheld_lines_when_due() {
        let started = Instant::now();
        let mut throttle = Throttle::new(started);
        assert_eq!(throttle.due(), None);
        assert!(throttle.admit(unranked(1, Score(12)), started).is_none());
        assert!(throttle.admit(unranked(2, Score(12)), started).is_none());
        assert_eq!(throttle.due(), Some(started + FIRST_INTERVAL));
        assert_eq!(throttle.release(started), None);
        assert_eq!(throttle.release(started + FIRST_INTERVAL), Some(unranked(2, Score(12))));
        assert_eq!((throttle.due(), throttle.withheld()), (None, Vec::new()));
    }

    #[test]
    fn drops_repeated_lines() {
        let (mut throttle, now) = throttle();
        assert!(throttle.admit(unranked(1, Score(12)), now).is_some());
        assert!(throttle.admit(unranked(1, Score(12)), now).is_none());
        assert_eq!(throttle.withheld(), []);
    }

    #[test]
    fn keeps_the_last_withheld_line() {
        let (mut throttle, now) = throttle();
        assert!(throttle.is_unused());
        throttle.admit(unranked(1, Score::win_in(5)), now);
        throttle.admit(unranked(2, Score::win_in(5)), now);
        assert!(!throttle.is_unused());
        assert_eq!(throttle.withheld(), [unranked(2, Score::win_in(5))]);
    }

    #[test]
    fn keeps_the_newest_line_of_each_rank() {
        let started = Instant::now();
        let mut throttle = Throttle::new(started);
        for depth in 1..=3 {
            for rank in 1..=2 {
                assert!(throttle.admit(ranked(rank, depth, Score(12)), started).is_none());
            }
        }
        assert!(throttle.is_unused());
        let now = started + 2 * FIRST_INTERVAL;
        assert_eq!(throttle.release(now), Some(ranked(1, 3, Score(12))));
        assert_eq!(throttle.due(), Some(now));
        assert_eq!(throttle.release(now), Some(ranked(2, 3, Score(12))));
        assert_eq!(throttle.release(now), None);
        throttle.admit(ranked(2, 4, Score(11)), now);
        assert_eq!(throttle.withheld(), [ranked(2, 4, Score(11))]);
    }

    #[test]
    fn a_proven_rank_does_not_delay_the_others() {
        let (mut throttle, mut now) = throttle();
        let mut admitted = [0; 2];
        for depth in 1..=20 {
            now += INTERVAL;
            for (rank, score) in [(1, Score::win_in(5)), (2, Score(12))] {
                let info = throttle.admit(ranked(rank, depth, score), now);
                admitted[rank as usize - 1] += usize::from(info.is_some());
            }
        }
        assert_eq!(admitted, [1, 20]);
    }

    #[test]
    fn many_ranks_send_no_more_lines_than_one() {
        let start = Instant::now();
        let count = |ranks: u32| {
            let mut throttle = Throttle::new(start);
            let infos = (0..10_000).flat_map(|depth| (1..=ranks).map(move |rank| (depth, rank)));
            let sent = infos.filter(|&(depth, rank)| {
                throttle
                    .admit(ranked(rank, depth, Score(12)), start + FIRST_INTERVAL * depth)
                    .is_some()
            });
            sent.count()
        };
        assert!(count(30) <= count(1) + 60, "{} and {}", count(30), count(1));
    }
}
