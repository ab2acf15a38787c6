//! The Swiss system: in each round, engines with equal points play each other, and rematches are
//! avoided where possible.
//!
//! Within a group of engines with equal points, the upper half plays the lower half, in the order
//! of the engines; an engine left over plays an opponent from the next group. Every mini-match
//! consists of pairs of games, so that colours are balanced. If the number of engines is odd, the
//! lowest-ranked engine that has not had a bye gets one, which counts as winning all games.

use std::collections::HashSet;

use super::tournament::{Board, Numbering, Round, Tournament, standings};
use super::{PAIR_POINTS, PairResults};

/// Maximum number of engines.
pub const MAX_ENGINES: usize = 128;

/// Maximum number of steps of a search for pairings with a given number of rematches.
const MAX_STEPS: usize = 50_000;

/// A Swiss tournament.
#[derive(Clone, Copy, Debug)]
pub struct Swiss {
    /// The number of engines.
    pub engines: usize,
    /// The number of rounds.
    pub rounds: usize,
    /// The number of pairs per mini-match.
    pub pairs: usize,
}

impl Swiss {
    /// The number of openings.
    pub fn openings(self) -> usize {
        self.rounds * self.pairs
    }

    /// The number of pairs of the whole tournament.
    pub fn planned(self) -> usize {
        self.rounds * (self.engines / 2) * self.pairs
    }

    /// The rounds, as far as they are known.
    pub fn tournament(self, results: &PairResults) -> Tournament {
        let mut rounds = Vec::new();
        let boards = self.engines / 2;
        let mut is_over = true;
        for round in 0..self.rounds {
            let numbering = Numbering {
                round,
                boards,
                first_index: round * boards * self.pairs,
                first_opening: round * self.pairs,
            };
            let Pairings { pairs, bye } = Pairings::new(self.engines, &rounds);
            let pairs = pairs.into_iter().enumerate();
            let new =
                |(number, engines)| Board::new(numbering, number, engines, self.pairs, results);
            let mut boards: Vec<_> = pairs.map(new).collect();
            boards.extend(bye.map(|engine| Board::bye(engine, PAIR_POINTS * self.pairs as u64)));
            is_over = boards.iter().all(|board| board.is_over);
            rounds.push(Round { name: format!("round {}", round + 1), boards });
            if !is_over {
                break;
            }
        }
        Tournament { standings: standings(self.engines, &rounds), rounds, is_over }
    }
}

/// The pairings of a round.
struct Pairings {
    pairs: Vec<[usize; 2]>,
    bye: Option<usize>,
}

impl Pairings {
    /// The pairings of the round after these.
    fn new(engines: usize, rounds: &[Round]) -> Pairings {
        let mut ranked = standings(engines, rounds);
        // Ranks by points, then by the order of the engines.
        ranked.sort_by_key(|standing| (std::cmp::Reverse(standing.points), standing.engine));
        let boards = || rounds.iter().flat_map(|round| &round.boards);
        let place = |engine: usize| ranked.iter().position(|standing| standing.engine == engine);
        let mut met = vec![0u128; engines];
        let mut has_had_bye = vec![false; engines];
        for board in boards() {
            let (first, second) = board.engines;
            match (place(first), second.and_then(place)) {
                (Some(first), Some(second)) => {
                    met[first] |= 1 << second;
                    met[second] |= 1 << first;
                }
                (Some(first), None) => has_had_bye[first] = true,
                _ => {}
            }
        }
        let points = ranked.iter().map(|standing| standing.points).collect();
        let all = if engines == MAX_ENGINES { u128::MAX } else { (1 << engines) - 1 };
        let mut byes: Vec<_> = (0..engines).rev().filter(|&place| !has_had_bye[place]).collect();
        if engines.is_multiple_of(2) {
            byes.clear();
        } else if byes.is_empty() {
            byes.extend((0..engines).rev());
        }
        let mut search = PairingSearch { points, met, failed: HashSet::new(), steps: 0 };
        for rematches in 0..=engines / 2 {
            let candidates: Vec<_> = match byes.is_empty() {
                true => vec![(None, all)],
                false => byes.iter().map(|&bye| (Some(bye), all & !(1 << bye))).collect(),
            };
            for (bye, players) in candidates {
                search.steps = 0;
                if let Some(pairs) = search.pairs(players, rematches) {
                    let engine = |place: usize| ranked[place].engine;
                    return Pairings {
                        pairs: pairs.into_iter().rev().map(|pair| pair.map(engine)).collect(),
                        bye: bye.map(engine),
                    };
                }
            }
        }
        Pairings { pairs: Vec::new(), bye: None }
    }
}

/// A search for pairings. Players are numbered by their rank, and sets of players are bit masks.
struct PairingSearch {
    /// The points of each player.
    points: Vec<u64>,
    /// The opponents that each player has met.
    met: Vec<u128>,
    /// Failed searches: sets of players, each with a number of rematches that is not enough to pair
    /// them all.
    failed: HashSet<(u128, usize)>,
    steps: usize,
}

impl PairingSearch {
    /// Pairs up these players, with at most this number of rematches. Returns the pairs, last pair
    /// first, or `None` if there is no such pairing or none is found within [`MAX_STEPS`].
    fn pairs(&mut self, players: u128, rematches: usize) -> Option<Vec<[usize; 2]>> {
        if players == 0 {
            return Some(Vec::new());
        }
        self.steps += 1;
        if self.steps > MAX_STEPS || self.failed.contains(&(players, rematches)) {
            return None;
        }
        let first = players.trailing_zeros() as usize;
        for second in self.opponents(first, players & (players - 1)) {
            let is_rematch = self.met[first] >> second & 1 == 1;
            let Some(left) = rematches.checked_sub(is_rematch.into()) else { continue };
            let rest = players & !(1 << first) & !(1 << second);
            if let Some(mut pairs) = self.pairs(rest, left) {
                pairs.push([first, second]);
                return Some(pairs);
            }
        }
        // A search that was cut short has not failed.
        if self.steps <= MAX_STEPS {
            self.failed.insert((players, rematches));
        }
        None
    }

    /// The possible opponents of a player, the best one still unpaired, in order of preference: the
    /// lower half of the group with equal points from the top down, the upper half from the bottom
    /// up, then the lower groups.
    fn opponents(&self, player: usize, others: u128) -> Vec<usize> {
        let others = (0..self.points.len()).filter(|place| others >> place & 1 == 1);
        let is_equal = |place: &usize| self.points[*place] == self.points[player];
        let (mut group, below): (Vec<_>, Vec<_>) = others.partition(is_equal);
        let upper = group.drain(..group.len() / 2).rev().collect::<Vec<_>>();
        group.into_iter().chain(upper).chain(below).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{MatchFormat, NextPair, Schedule};
    use super::*;

    /// Plays a tournament in which `points` returns the points of the engine with the lower index.
    fn play(
        engines: usize,
        rounds: usize,
        points: impl Fn((usize, usize)) -> u64,
    ) -> (Tournament, Schedule) {
        let mut schedule = Schedule::new(engines, MatchFormat::Swiss { rounds }, 1);
        let mut results = PairResults::default();
        while let NextPair::Play(pair) = schedule.next(&results) {
            assert!(pair.opening < schedule.openings());
            results.add(pair.index, points(pair.pairing()));
        }
        assert_eq!(schedule.next(&results), NextPair::Over);
        (schedule.tournament(&results).unwrap(), schedule)
    }

    /// How often each pair of engines has played; a bye is counted as an engine paired with itself.
    fn meetings(tournament: &Tournament) -> BTreeMap<(usize, usize), usize> {
        let mut meetings = BTreeMap::new();
        for board in tournament.rounds.iter().flat_map(|round| &round.boards) {
            let (first, second) = board.engines;
            let second = second.unwrap_or(first);
            *meetings.entry((first.min(second), first.max(second))).or_default() += 1;
        }
        meetings
    }

    #[test]
    fn the_upper_half_meets_the_lower_half() {
        let (tournament, _) = play(8, 3, |_| 4);
        let engines = |round: usize| {
            let boards = tournament.rounds[round].boards.iter();
            boards.map(|board| (board.engines.0, board.engines.1.unwrap())).collect::<Vec<_>>()
        };
        assert_eq!(engines(0), [(0, 4), (1, 5), (2, 6), (3, 7)]);
        // Winners play winners, and losers play losers.
        assert_eq!(engines(1), [(0, 2), (1, 3), (4, 6), (5, 7)]);
        assert_eq!(engines(2)[0], (0, 1));
        let best: Vec<_> = tournament.standings[..2].iter().map(|place| place.engine).collect();
        assert_eq!(best, [0, 1]);
        assert_eq!(tournament.standings[0].points, 12);
    }

    #[test]
    fn nobody_meets_twice_while_that_can_be_avoided() {
        for engines in 3..=13 {
            let all = if engines % 2 == 0 { engines - 1 } else { engines };
            for (rounds, seed) in [(engines / 2, 1), (engines / 2, 5), (all, 3)] {
                let points = |(one, two): (usize, usize)| ((one * 7 + two * 3 + seed) % 5) as u64;
                let (tournament, schedule) = play(engines, rounds, points);
                assert_eq!(tournament.rounds.len(), rounds);
                let meetings = meetings(&tournament);
                let boards = engines.div_ceil(2) * rounds;
                assert_eq!(meetings.values().sum::<usize>(), boards);
                // By Dirac's theorem, pairings without rematches exist in the first half of the
                // rounds.
                if rounds <= engines / 2 {
                    assert_eq!(meetings.len(), boards, "{engines} engines: {meetings:?}");
                }
                let games = 2 * schedule.planned(&PairResults::default());
                assert_eq!(games, 2 * rounds * (engines / 2));
            }
        }
    }

    #[test]
    fn rematches_are_as_few_as_possible() {
        // After the three rounds of K3,3, the pairings not yet played form two triangles, so one
        // rematch is unavoidable.
        let board = |first, second| {
            let mut board = Board::bye(first, 0);
            board.engines.1 = Some(second);
            board
        };
        let round = |shift: usize| Round {
            name: String::new(),
            boards: (0..3).map(|one| board(one, 3 + (one + shift) % 3)).collect(),
        };
        let Pairings { pairs, .. } = Pairings::new(6, &[round(0), round(1), round(2)]);
        let across = pairs.iter().filter(|[one, two]| (*one < 3) != (*two < 3)).count();
        assert_eq!((pairs.len(), across), (3, 1), "{pairs:?}");
    }

    #[test]
    fn byes_go_round() {
        let (tournament, _) = play(5, 5, |_| 4);
        let byes = meetings(&tournament).into_iter().filter(|((one, two), _)| one == two);
        assert!(byes.map(|(_, count)| count).eq([1; 5]));
        // In the first round, the last engine has the bye, which counts as a win.
        let bye = tournament.rounds[0].boards.last().unwrap();
        assert_eq!((bye.engines, bye.points), ((4, None), [4, 0]));
    }

    #[test]
    fn large_tournaments_are_paired_quickly() {
        let (tournament, _) = play(128, 12, |(one, two)| ((one ^ two) % 5) as u64);
        assert_eq!(meetings(&tournament).len(), 64 * 12);
    }
}
