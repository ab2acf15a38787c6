//! The best lines of a search: one, or several with different first moves (MultiPV).

use std::mem;

use crate::score::Score;

use super::limits::Info;

/// The lines of a search by rank; rank 0 is the best. At each depth, the first rank is searched
/// over all moves and each further rank over the moves not taken by better ranks.
///
/// The depth, nodes and time of a line are recorded when it is found and kept if its rank changes
/// later.
pub struct RootLines<M> {
    /// The number of lines requested, at least one.
    multipv: usize,
    /// The lines found so far at the current depth.
    current: Vec<Info<M>>,
    /// The lines of the last completed depth.
    completed: Vec<Info<M>>,
}

impl<M: Clone + PartialEq> RootLines<M> {
    /// No lines yet.
    pub fn new(multipv: usize) -> Self {
        RootLines { multipv: multipv.max(1), current: Vec::new(), completed: Vec::new() }
    }

    /// The number of lines requested.
    pub fn multipv(&self) -> usize {
        self.multipv
    }

    /// Whether no line has been found at any depth.
    pub fn is_empty(&self) -> bool {
        self.current.is_empty() && self.completed.is_empty()
    }

    /// The line of a rank at the last completed depth.
    pub fn last(&self, rank: usize) -> Option<&Info<M>> {
        self.completed.get(rank)
    }

    /// Whether a new best move is reported before all moves have been searched. With several lines,
    /// this is so only at the first depth: later, the move's line can be ranked only once the other
    /// lines have been searched to the same depth.
    pub fn reports_better_moves(&self) -> bool {
        self.multipv == 1 || self.completed.is_empty()
    }

    /// Adds the line found for a rank at the current depth, replacing any earlier one. Returns this
    /// line and those it has overtaken: scores are not exact, so a line found for a later rank can
    /// score higher.
    pub fn add(&mut self, rank: usize, line: Info<M>) -> &[Info<M>] {
        self.current.truncate(rank);
        let index = self.current.partition_point(|better| better.score >= line.score);
        self.current.insert(index, line);
        for (rank, line) in (1..).zip(&mut self.current).skip(index) {
            line.rank = rank;
        }
        &self.current[index..]
    }

    /// Records that all ranks have been searched at the current depth. Returns their lines.
    pub fn complete_depth(&mut self) -> &[Info<M>] {
        self.completed = mem::take(&mut self.current);
        &self.completed
    }

    /// Ends the search: ranks not searched at the last depth keep their earlier lines. Returns the
    /// lines whose rank or score changed.
    ///
    /// The score of an earlier line is capped at those of the newer lines, which were found to be
    /// better.
    pub fn finish(&mut self) -> Vec<Info<M>> {
        let mut changed = Vec::new();
        for old in mem::take(&mut self.completed) {
            let is_known = self.current.iter().any(|line| line.pv.first() == old.pv.first());
            if is_known || self.current.len() == self.multipv {
                continue;
            }
            let max = self.current.last().map_or(Score::INFINITY, |line| line.score);
            let rank = self.current.len() as u32 + 1;
            let line = Info { rank, score: old.score.min(max), ..old.clone() };
            if line != old {
                changed.push(line.clone());
            }
            self.current.push(line);
        }
        changed
    }

    /// Restores the lines found in an earlier time slice as those of the last completed depth.
    pub fn resume(&mut self, lines: Vec<Info<M>>) {
        self.completed = lines;
    }

    /// Takes all lines at the end of a time slice.
    pub fn take_all(&mut self) -> Vec<Info<M>> {
        self.finish();
        mem::take(&mut self.current)
    }

    /// Takes the best line at the end of the search.
    pub fn take_best(&mut self) -> Option<Info<M>> {
        mem::take(&mut self.current).into_iter().next()
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

    /// The first square, depth and score of each line. Asserts that ranks count up from `first`.
    fn summary(lines: &[Info<Move>], first: u32) -> Vec<(u8, u32, i16)> {
        for (rank, line) in (first..).zip(lines) {
            assert_eq!(line.rank, rank);
        }
        let number = |line: &Info<Move>| line.pv[0].from;
        lines.iter().map(|line| (number(line), line.depth, line.score.0)).collect()
    }

    #[test]
    fn a_better_line_moves_others_down() {
        let mut lines = RootLines::new(3);
        assert_eq!(summary(lines.add(0, line(1, 1, 20)), 1), [(1, 1, 20)]);
        assert_eq!(summary(lines.add(1, line(2, 1, 10)), 2), [(2, 1, 10)]);
        let all = [(3, 1, 30), (1, 1, 20), (2, 1, 10)];
        assert_eq!(summary(lines.add(2, line(3, 1, 30)), 1), all);
        assert_eq!(summary(lines.complete_depth(), 1), all);
        assert_eq!(lines.last(1).map(|line| line.score), Some(Score(20)));
    }

    #[test]
    fn replaces_the_line_of_a_rank_searched_again() {
        let mut lines = RootLines::new(1);
        lines.add(0, line(1, 1, 20));
        lines.add(0, line(2, 1, 25));
        assert_eq!(summary(lines.complete_depth(), 1), [(2, 1, 25)]);
    }

    #[test]
    fn a_stopped_search_keeps_older_lines() {
        let mut lines = RootLines::new(3);
        for (rank, (number, score)) in [(1, 20), (2, 10), (3, 5)].into_iter().enumerate() {
            lines.add(rank, line(number, 4, score));
        }
        lines.complete_depth();
        lines.add(0, line(2, 5, 15));
        // The first two swap places; the third stays.
        assert_eq!(summary(&lines.finish(), 2), [(1, 4, 15)]);
        assert_eq!(summary(&lines.current, 1), [(2, 5, 15), (1, 4, 15), (3, 4, 5)]);
        assert_eq!(summary(&[lines.take_best().unwrap()], 1), [(2, 5, 15)]);
    }

    #[test]
    fn stopping_between_two_depths_changes_nothing() {
        let mut lines = RootLines::new(2);
        lines.add(0, line(1, 1, 20));
        lines.add(1, line(2, 1, 10));
        lines.complete_depth();
        assert_eq!(lines.finish(), []);
        assert_eq!(summary(&lines.current, 1), [(1, 1, 20), (2, 1, 10)]);
    }
}
