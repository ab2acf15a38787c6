//! Tournaments with rounds, which consist of mini-matches between two engines. The pairings of a
//! round depend on the results of earlier rounds.

use super::{GamePair, PairPlace, PairResults};

/// The rounds of a tournament, as far as they are known, and its standings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tournament {
    /// The rounds known so far, which may be unfinished.
    pub rounds: Vec<Round>,
    /// The standings of the engines, best first.
    pub standings: Vec<Standing>,
    /// Whether all rounds are over.
    pub is_over: bool,
}

/// A round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// The name, such as `semifinals` or `round 2`.
    pub name: String,
    /// The mini-matches whose engines are known.
    pub boards: Vec<Board>,
}

/// A mini-match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The two engines; the second is `None` if the first has a bye.
    pub engines: (usize, Option<usize>),
    /// The points of each engine in the finished pairs; in a Swiss tournament, a bye counts as
    /// winning all games.
    pub points: [u64; 2],
    /// The number of finished pairs.
    pub pairs: usize,
    /// Whether no more pairs will be played.
    pub is_over: bool,
    /// The winner, once the mini-match is over; `None` after a tie in a Swiss tournament. In a
    /// knockout, the better seed wins if the tie-breaks do not decide.
    pub winner: Option<usize>,
    /// The pairs that are finished or can be played now.
    known: Vec<GamePair>,
}

/// The place of an engine in the standings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The index of the engine.
    pub engine: usize,
    /// Points in all rounds, including byes.
    pub points: u64,
    /// The sum of the points of the opponents.
    pub buchholz: u64,
}

/// Numbers the pairs of a round. The boards take turns, and each round has a separate range of pair
/// indices and of openings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbering {
    pub(super) round: usize,
    /// The number of boards of the round.
    pub(super) boards: usize,
    /// The index of the first pair.
    pub(super) first_index: usize,
    /// The index of the first opening.
    pub(super) first_opening: usize,
}

impl Numbering {
    fn pair(self, board: usize, number: usize, [first, second]: [usize; 2]) -> GamePair {
        GamePair {
            index: self.first_index + number * self.boards + board,
            opening: self.first_opening + number,
            first,
            second,
            place: Some(PairPlace { round: self.round, board, number }),
        }
    }
}

impl Board {
    /// A bye: an engine without an opponent, which gets these points.
    pub(super) fn bye(engine: usize, points: u64) -> Board {
        Board {
            engines: (engine, None),
            points: [points, 0],
            pairs: 0,
            is_over: true,
            winner: Some(engine),
            known: Vec::new(),
        }
    }

    /// A mini-match of `pairs` pairs, with the results of the finished pairs.
    pub(super) fn new(
        numbering: Numbering,
        board: usize,
        engines: [usize; 2],
        pairs: usize,
        results: &PairResults,
    ) -> Board {
        let mut new = Board {
            engines: (engines[0], Some(engines[1])),
            points: [0; 2],
            pairs: 0,
            is_over: false,
            winner: None,
            known: Vec::new(),
        };
        for number in 0..pairs {
            new.add(numbering.pair(board, number, engines), results);
        }
        new.is_over = new.pairs == pairs;
        let [one, two] = new.points;
        if new.is_over && one != two {
            new.winner = Some(if one > two { engines[0] } else { engines[1] });
        }
        new
    }

    /// Adds a tie-break pair. Returns whether the pair is finished.
    pub(super) fn add_tie_break(
        &mut self,
        numbering: Numbering,
        board: usize,
        number: usize,
        results: &PairResults,
    ) -> bool {
        let (first, Some(second)) = self.engines else { return false };
        self.add(numbering.pair(board, number, [first, second]), results)
    }

    fn add(&mut self, pair: GamePair, results: &PairResults) -> bool {
        let points = results.points(&pair);
        if let Some([first, second]) = points {
            self.points[0] += first;
            self.points[1] += second;
            self.pairs += 1;
        }
        self.known.push(pair);
        points.is_some()
    }

    /// Ends the mini-match.
    pub(super) fn end(&mut self, winner: usize, results: &PairResults) {
        self.is_over = true;
        self.winner = Some(winner);
        self.known.retain(|pair| results.points(pair).is_some());
    }

    /// The pairs that are finished or can be played now.
    pub(super) fn known_pairs(&self) -> impl Iterator<Item = &GamePair> {
        self.known.iter()
    }
}

/// The standings after these rounds, sorted by points, then by the sum of the opponents' points,
/// then in the order of the engines.
pub(super) fn standings(engines: usize, rounds: &[Round]) -> Vec<Standing> {
    let mut points = vec![0; engines];
    let mut opponents = vec![Vec::new(); engines];
    for board in rounds.iter().flat_map(|round| &round.boards) {
        let (first, second) = board.engines;
        points[first] += board.points[0];
        if let Some(second) = second {
            points[second] += board.points[1];
            opponents[first].push(second);
            opponents[second].push(first);
        }
    }
    let standing = |engine: usize| Standing {
        engine,
        points: points[engine],
        buchholz: opponents[engine].iter().map(|&opponent| points[opponent]).sum(),
    };
    let mut standings: Vec<_> = (0..engines).map(standing).collect();
    standings.sort_by_key(|standing| std::cmp::Reverse((standing.points, standing.buchholz)));
    standings
}
