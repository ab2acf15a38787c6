//! The knockout system: the winner of each mini-match advances to the next round.
//!
//! The engines are seeded in the order given, so the first two can meet only in the final. If the
//! number of engines is not a power of two, the top seeds have a bye in the first round. A
//! mini-match ends once the trailing engine can no longer catch up. A tie is broken by additional
//! pairs, until one engine wins a pair; after [`MAX_TIE_BREAKS`] of them, the better seed advances.

use std::cmp::Reverse;

use super::tournament::{Board, Numbering, Round, Tournament, standings};
use super::{PAIR_POINTS, PairResults};

/// Maximum number of tie-break pairs in a mini-match.
pub const MAX_TIE_BREAKS: usize = 20;

/// A knockout tournament.
#[derive(Clone, Copy, Debug)]
pub struct Knockout {
    /// The number of engines.
    pub engines: usize,
    /// The number of pairs per mini-match, excluding tie-breaks.
    pub pairs: usize,
}

impl Knockout {
    /// The number of places in the bracket: the engines of the first round, plus the byes.
    fn size(self) -> usize {
        self.engines.next_power_of_two()
    }

    fn rounds(self) -> usize {
        self.size().ilog2() as usize
    }

    /// The number of openings that may be needed.
    pub fn openings(self) -> usize {
        self.rounds() * (self.pairs + MAX_TIE_BREAKS)
    }

    /// The rounds, as far as they are known.
    pub fn tournament(self, results: &PairResults) -> Tournament {
        let mut rounds: Vec<Round> = Vec::new();
        // The engines in bracket order; `None` for a bye, or while the winner is not known.
        let absent = |seed: usize| (seed < self.engines).then_some(seed);
        let mut players: Vec<Option<usize>> = seeds(self.size()).into_iter().map(absent).collect();
        let (mut first_index, mut first_opening) = (0, 0);
        for round in 0..self.rounds() {
            let boards = players.len() / 2;
            let numbering = Numbering { round, boards, first_index, first_opening };
            let mut winners = Vec::new();
            let mut known = Vec::new();
            for (number, pair) in players.chunks_exact(2).enumerate() {
                let board = match *pair {
                    [Some(one), Some(two)] => {
                        Some(self.board(numbering, number, [one, two], results))
                    }
                    // A missing opponent means a bye only in the first round; later, the opponent
                    // is not known yet.
                    [Some(one), None] | [None, Some(one)] if round == 0 => Some(Board::bye(one, 0)),
                    _ => None,
                };
                winners.push(board.as_ref().and_then(|board| board.winner));
                known.extend(board);
            }
            if !known.is_empty() {
                rounds.push(Round { name: name(boards), boards: known });
            }
            players = winners;
            first_index += boards * (self.pairs + MAX_TIE_BREAKS);
            first_opening += self.pairs + MAX_TIE_BREAKS;
        }
        let is_over = self.engines < 2 || players.iter().all(Option::is_some);
        let mut standings = standings(self.engines, &rounds);
        // The last round that an engine has reached, and whether it has won the final.
        let reached = |engine: usize| {
            let plays =
                |board: &Board| board.engines.0 == engine || board.engines.1 == Some(engine);
            let last = rounds.iter().rposition(|round| round.boards.iter().any(plays));
            (last, players.contains(&Some(engine)))
        };
        standings.sort_by_key(|standing| Reverse(reached(standing.engine)));
        Tournament { rounds, standings, is_over }
    }

    /// A mini-match with the results so far.
    fn board(
        self,
        numbering: Numbering,
        number: usize,
        engines: [usize; 2],
        results: &PairResults,
    ) -> Board {
        let mut board = Board::new(numbering, number, engines, self.pairs, results);
        let left = self.pairs - board.pairs;
        let mut tie_breaks = self.pairs..self.pairs + MAX_TIE_BREAKS;
        board.is_over = false;
        loop {
            let [one, two] = board.points;
            // The lead exceeds the points still available.
            if one.abs_diff(two) > PAIR_POINTS * left as u64 {
                let winner = if one > two { engines[0] } else { engines[1] };
                board.end(winner, results);
                return board;
            }
            if left > 0 {
                return board;
            }
            match tie_breaks.next() {
                Some(tie_break) => {
                    if !board.add_tie_break(numbering, number, tie_break, results) {
                        return board;
                    }
                }
                None => {
                    board.end(engines[0].min(engines[1]), results);
                    return board;
                }
            }
        }
    }

    /// The number of pairs of the whole tournament if no further tie-breaks are needed.
    pub fn planned(self, results: &PairResults) -> usize {
        let tournament = self.tournament(results);
        let boards = tournament.rounds.iter().flat_map(|round| &round.boards);
        let known: Vec<_> = boards.filter(|board| board.engines.1.is_some()).collect();
        let planned = |board: &&Board| match board.is_over {
            true => board.pairs,
            false => self.pairs.max(board.pairs + 1),
        };
        let later = self.engines.saturating_sub(1) - known.len();
        known.iter().map(planned).sum::<usize>() + later * self.pairs
    }
}

/// The name of a round with this number of mini-matches.
fn name(boards: usize) -> String {
    match boards {
        1 => "final".to_owned(),
        2 => "semifinals".to_owned(),
        4 => "quarterfinals".to_owned(),
        _ => format!("round of {}", 2 * boards),
    }
}

/// The seeds in the order of the bracket, whose size is a power of two; the better two seeds are,
/// the later they meet.
fn seeds(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::super::{MatchFormat, NextPair, Schedule};
    use super::*;

    /// Plays a knockout in which `points` returns the points of the engine with the lower index.
    /// Returns the tournament and the number of pairs played.
    fn play(
        engines: usize,
        pairs: usize,
        mut points: impl FnMut((usize, usize)) -> u64,
    ) -> (Tournament, usize) {
        let mut schedule = Schedule::new(engines, MatchFormat::Knockout, pairs);
        let mut results = PairResults::default();
        let mut count = 0;
        while let NextPair::Play(pair) = schedule.next(&results) {
            assert!(pair.opening < schedule.openings());
            results.add(pair.index, points(pair.pairing()));
            count += 1;
            assert!(schedule.planned(&results) >= count);
        }
        assert_eq!(schedule.next(&results), NextPair::Over);
        assert_eq!(schedule.planned(&results), count);
        (schedule.tournament(&results).unwrap(), count)
    }

    #[test]
    fn the_best_seeds_meet_last() {
        assert_eq!(seeds(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        let (tournament, count) = play(8, 1, |_| 4);
        let names: Vec<_> = tournament.rounds.iter().map(|round| &round.name[..]).collect();
        assert_eq!(names, ["quarterfinals", "semifinals", "final"]);
        assert_eq!(tournament.rounds[2].boards[0].engines, (0, Some(1)));
        assert_eq!((tournament.standings[0].engine, count), (0, 7));
        assert_eq!(tournament.standings[1].engine, 1);
    }

    #[test]
    fn the_first_engines_have_byes() {
        let (tournament, count) = play(5, 2, |_| 0);
        // The engine with the higher index always wins.
        assert_eq!(tournament.rounds[0].boards.len(), 4);
        let byes = tournament.rounds[0].boards.iter().filter(|board| board.engines.1.is_none());
        assert_eq!(byes.map(|board| board.engines.0).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!((tournament.standings[0].engine, count), (4, 8));
        assert!(tournament.is_over);
    }

    #[test]
    fn a_mini_match_ends_when_it_is_decided() {
        // With one of three pairs left, a deficit of 8 points cannot be made up.
        let (tournament, count) = play(2, 3, |_| 4);
        assert_eq!(count, 2);
        assert_eq!(tournament.rounds[0].boards[0].points, [8, 0]);
    }

    #[test]
    fn ties_are_broken_by_further_pairs_and_then_by_the_seed() {
        let mut left = 4;
        let (tournament, count) = play(2, 2, |_| {
            left -= 1;
            if left > 0 { 2 } else { 1 }
        });
        assert_eq!((count, tournament.standings[0].engine), (4, 1));
        let (tournament, count) = play(2, 2, |_| 2);
        assert_eq!((count, tournament.standings[0].engine), (2 + MAX_TIE_BREAKS, 0));
    }

    #[test]
    fn rounds_wait_for_their_engines() {
        let mut schedule = Schedule::new(4, MatchFormat::Knockout, 1);
        let mut results = PairResults::default();
        let NextPair::Play(one) = schedule.next(&results) else { panic!("no first pair") };
        let NextPair::Play(two) = schedule.next(&results) else { panic!("no second pair") };
        assert_eq!([one.pairing(), two.pairing()], [(0, 3), (1, 2)]);
        assert_eq!(schedule.next(&results), NextPair::Wait);
        results.add(one.index, 3);
        assert_eq!(schedule.next(&results), NextPair::Wait);
        // The other mini-match is tied, so a tie-break pair follows.
        results.add(two.index, 2);
        let NextPair::Play(tie_break) = schedule.next(&results) else { panic!("no tie-break") };
        assert_eq!(tie_break.pairing(), (1, 2));
        results.add(tie_break.index, 1);
        let NextPair::Play(last) = schedule.next(&results) else { panic!("no final") };
        assert_eq!((last.pairing(), last.round(1).as_deref()), ((0, 2), Some("2.1.2")));
        assert_eq!(schedule.next(&results), NextPair::Wait);
    }
}
