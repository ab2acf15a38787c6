//! The best lines of a search: one, or several with different first moves (MultiPV).

use std::mem;

use crate::score::Score;

use super::report::Info;

/// The lines of a search by rank, from 0, best first. Each depth is searched rank by rank: the
/// first over all moves, each next one over the moves left.
///
/// Depth, nodes and time of a line are those at which it was found, even if its rank changes later.
pub(super) struct Lines<M> {
    /// The number of lines wanted, at least one.
    wanted: usize,
    /// The lines of the current depth, as far as it has been searched.
    fresh: Vec<Info<M>>,
    /// The lines of the last completed depth.
    complete: Vec<Info<M>>,
}

impl<M: Clone + PartialEq> Lines<M> {
    /// No lines yet.
    pub(super) fn new(wanted: usize) -> Self {
        Lines { wanted: wanted.max(1), fresh: Vec::new(), complete: Vec::new() }
    }

    /// The number of lines wanted.
    pub(super) fn wanted(&self) -> usize {
        self.wanted
    }

    /// Whether there is no line at all.
    pub(super) fn is_empty(&self) -> bool {
        self.fresh.is_empty() && self.complete.is_empty()
    }

    /// The line of a rank at the last completed depth.
    pub(super) fn last(&self, rank: usize) -> Option<&Info<M>> {
        self.complete.get(rank)
    }

    /// Whether a better move becomes a line before all moves have been searched. With several lines
    /// it has to wait, as the others have no scores yet to compare it with; the first depth cannot
    /// wait.
    pub(super) fn takes_better_moves(&self) -> bool {
        self.wanted == 1 || self.complete.is_empty()
    }

    /// Adds the line of a rank at the current depth, in place of an earlier one. Returns it and the
    /// lines it has overtaken: a later rank can turn out to be better, as scores are not exact.
    pub(super) fn add(&mut self, rank: usize, line: Info<M>) -> &[Info<M>] {
        self.fresh.truncate(rank);
        let place = self.fresh.partition_point(|better| better.score >= line.score);
        self.fresh.insert(place, line);
        for (index, line) in self.fresh.iter_mut().enumerate().skip(place) {
            line.rank = index as u32 + 1;
        }
        &self.fresh[place..]
    }

    /// All ranks have been searched at the current depth. Returns their lines.
    pub(super) fn complete(&mut self) -> &[Info<M>] {
        self.complete = mem::take(&mut self.fresh);
        &self.complete
    }

    /// The search is over: ranks not searched at the last depth keep their older lines. Returns the
    /// lines this has changed.
    ///
    /// The score of an older line is capped by those of the newer ones, which were found to be
    /// better.
    pub(super) fn conclude(&mut self) -> Vec<Info<M>> {
        let mut changed = Vec::new();
        for old in mem::take(&mut self.complete) {
            let is_known = self.fresh.iter().any(|line| line.pv.first() == old.pv.first());
            if is_known || self.fresh.len() == self.wanted {
                continue;
            }
            let most = self.fresh.last().map_or(Score::INFINITY, |line| line.score);
            let rank = self.fresh.len() as u32 + 1;
            let line = Info { rank, score: old.score.min(most), ..old.clone() };
            if line != old {
                changed.push(line.clone());
            }
            self.fresh.push(line);
        }
        changed
    }

    /// Goes on with the lines of an earlier slice as those of the last completed depth.
    pub(super) fn resume(&mut self, lines: Vec<Info<M>>) {
        self.complete = lines;
    }

    /// All lines, after a slice is over.
    pub(super) fn take_all(&mut self) -> Vec<Info<M>> {
        self.conclude();
        mem::take(&mut self.fresh)
    }

    /// The best line, after the search is over.
    pub(super) fn take_best(&mut self) -> Option<Info<M>> {
        mem::take(&mut self.fresh).into_iter().next()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::Move;

    /// A line whose first move starts at square `number`.
    fn line(number: u8, depth: u32, score: i16) -> Info<Move> {
        let mv = Move::quiet(number, 50);
        Info {
            rank: 1,
            depth,
            mean_depth: 0.0,
            score: Score(score),
            nodes: 0,
            time: Duration::ZERO,
            pv: vec![mv],
        }
    }

    /// First square, depth and score of lines, which must have the ranks from `first` on.
    fn told(lines: &[Info<Move>], first: u32) -> Vec<(u8, u32, i16)> {
        for (rank, line) in (first..).zip(lines) {
            assert_eq!(line.rank, rank);
        }
        let number = |line: &Info<Move>| line.pv[0].from;
        lines.iter().map(|line| (number(line), line.depth, line.score.0)).collect()
    }

    #[test]
    fn a_line_that_overtakes_others_moves_them_down() {
        let mut lines = Lines::new(3);
        assert_eq!(told(lines.add(0, line(1, 1, 20)), 1), [(1, 1, 20)]);
        assert_eq!(told(lines.add(1, line(2, 1, 10)), 2), [(2, 1, 10)]);
        let all = [(3, 1, 30), (1, 1, 20), (2, 1, 10)];
        assert_eq!(told(lines.add(2, line(3, 1, 30)), 1), all);
        assert_eq!(told(lines.complete(), 1), all);
        assert_eq!(lines.last(1).map(|line| line.score), Some(Score(20)));
    }

    #[test]
    fn a_rank_that_is_searched_again_replaces_its_line() {
        let mut lines = Lines::new(1);
        lines.add(0, line(1, 1, 20));
        lines.add(0, line(2, 1, 25));
        assert_eq!(told(lines.complete(), 1), [(2, 1, 25)]);
    }

    #[test]
    fn a_stopped_search_keeps_older_lines() {
        let mut lines = Lines::new(3);
        for (rank, (number, score)) in [(1, 20), (2, 10), (3, 5)].into_iter().enumerate() {
            lines.add(rank, line(number, 4, score));
        }
        lines.complete();
        lines.add(0, line(2, 5, 15));
        // The first two swap places; the third stays.
        assert_eq!(told(&lines.conclude(), 2), [(1, 4, 15)]);
        assert_eq!(told(&lines.fresh, 1), [(2, 5, 15), (1, 4, 15), (3, 4, 5)]);
        assert_eq!(told(&[lines.take_best().unwrap()], 1), [(2, 5, 15)]);
    }

    #[test]
    fn a_search_that_is_stopped_between_two_depths_changes_nothing() {
        let mut lines = Lines::new(2);
        lines.add(0, line(1, 1, 20));
        lines.add(1, line(2, 1, 10));
        lines.complete();
        assert_eq!(lines.conclude(), []);
        assert_eq!(told(&lines.fresh, 1), [(1, 1, 20), (2, 1, 10)]);
    }
}
