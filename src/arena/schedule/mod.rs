//! Schedules: which engines play each other, and in which order. A schedule determines the next
//! pair of games from the results of the finished pairs, so a resumed match continues as if it had
//! never been interrupted.
//!
//! - [`fixed`]: round robin and gauntlet, whose pairs are known from the start.
//! - [`tournament`]: formats whose rounds depend on the results of earlier rounds. `knockout` and
//!   `swiss` determine the pairings.

pub mod fixed;
mod knockout;
mod swiss;
pub mod tournament;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::played::GameSlot;
use fixed::FixedSchedule;
use tournament::{Board, Tournament};

/// Maximum number of engines in a Swiss tournament.
pub use swiss::MAX_ENGINES as MAX_SWISS_ENGINES;

/// Which engines of a match play each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatchFormat {
    /// Every engine plays every other engine.
    RoundRobin,
    /// The first engine plays each of the others.
    Gauntlet,
    /// The winner of each mini-match advances to the next round.
    Knockout,
    /// In each round, engines with equal points play each other.
    Swiss {
        /// The number of rounds.
        rounds: usize,
    },
}

impl MatchFormat {
    /// Whether the rounds depend on results.
    pub fn is_tournament(self) -> bool {
        matches!(self, MatchFormat::Knockout | MatchFormat::Swiss { .. })
    }
}

/// Two games between the same engines from the same opening, with colours reversed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GamePair {
    /// The index of the pair among all pairs.
    pub index: usize,
    /// The index of the opening.
    pub opening: usize,
    /// The engine that plays White in the first game.
    pub first: usize,
    /// The engine that plays Black in the first game.
    pub second: usize,
    /// The place of the pair in a tournament with rounds.
    pub place: Option<PairPlace>,
}

/// The place of a pair in a tournament with rounds; all numbers start at 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairPlace {
    /// The round.
    pub round: usize,
    /// The mini-match within the round.
    pub board: usize,
    /// The pair within the mini-match.
    pub number: usize,
}

impl GamePair {
    /// The two games of the pair.
    pub fn slots(&self) -> [GameSlot; 2] {
        let GamePair { index: pair, first, second, .. } = *self;
        [
            GameSlot { pair, game: 0, white: first, black: second },
            GameSlot { pair, game: 1, white: second, black: first },
        ]
    }

    /// Both engines, the one with the lower index first.
    pub fn pairing(&self) -> (usize, usize) {
        (self.first.min(self.second), self.first.max(self.second))
    }

    /// The round, board and game number of a game of the pair, as written in PDN, such as `2.1.3`;
    /// `None` if the match has no rounds.
    pub fn round(&self, game: usize) -> Option<String> {
        let PairPlace { round, board, number } = self.place?;
        Some(format!("{}.{}.{}", round + 1, board + 1, 2 * number + game + 1))
    }
}

/// The total points of a pair; each game is worth two points for a win and one for a draw.
pub const PAIR_POINTS: u64 = 4;

/// The results of the finished pairs of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PairResults(BTreeMap<usize, u64>);

impl PairResults {
    /// Adds a pair, with the points of the engine that has the lower index.
    pub fn add(&mut self, pair: usize, points: u64) {
        self.0.insert(pair, points);
    }

    /// The points of the first and of the second engine; `None` if the pair is not finished.
    fn points(&self, pair: &GamePair) -> Option<[u64; 2]> {
        let lower = *self.0.get(&pair.index)?;
        let higher = PAIR_POINTS - lower.min(PAIR_POINTS);
        Some(if pair.first < pair.second { [lower, higher] } else { [higher, lower] })
    }
}

/// The next pair to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextPair {
    /// Play this pair.
    Play(GamePair),
    /// The next pair depends on pairs that are being played.
    Wait,
    /// All pairs have been handed out, and none will follow.
    Over,
}

/// The pairs of games of a match. Each pair is handed out once.
#[derive(Clone, Debug)]
pub struct Schedule {
    kind: Kind,
    /// The pairs handed out by a tournament.
    handed_out: BTreeSet<usize>,
}

#[derive(Clone, Debug)]
enum Kind {
    Fixed(FixedSchedule),
    Knockout(knockout::Knockout),
    Swiss(swiss::Swiss),
}

impl Schedule {
    /// The schedule of a match of `engines` engines with `pairs` pairs of games for each pairing.
    pub fn new(engines: usize, format: MatchFormat, pairs: usize) -> Schedule {
        let kind = match format {
            MatchFormat::RoundRobin => Kind::Fixed(FixedSchedule::round_robin(engines, pairs)),
            MatchFormat::Gauntlet => Kind::Fixed(FixedSchedule::gauntlet(engines, pairs)),
            MatchFormat::Knockout => Kind::Knockout(knockout::Knockout { engines, pairs }),
            MatchFormat::Swiss { rounds } => Kind::Swiss(swiss::Swiss { engines, rounds, pairs }),
        };
        Schedule { kind, handed_out: BTreeSet::new() }
    }

    /// The schedule restricted to the pairs with these indices. The pairs of a tournament cannot be
    /// restricted.
    pub fn restricted_to(mut self, pairs: Range<usize>) -> Schedule {
        if let Kind::Fixed(fixed) = self.kind {
            self.kind = Kind::Fixed(fixed.restricted_to(pairs));
        }
        self
    }

    /// The number of openings that the pairs may need.
    pub fn openings(&self) -> usize {
        match &self.kind {
            Kind::Fixed(fixed) => fixed.openings(),
            Kind::Knockout(knockout) => knockout.openings(),
            Kind::Swiss(swiss) => swiss.openings(),
        }
    }

    /// The planned number of pairs of the whole match. In a knockout it can change, because
    /// mini-matches may end early or need tie-breaks.
    pub fn planned(&self, results: &PairResults) -> usize {
        match &self.kind {
            Kind::Fixed(fixed) => fixed.len(),
            Kind::Knockout(knockout) => knockout.planned(results),
            Kind::Swiss(swiss) => swiss.planned(),
        }
    }

    /// The rounds of a tournament, as far as they are known; `None` for other formats.
    pub fn tournament(&self, results: &PairResults) -> Option<Tournament> {
        match &self.kind {
            Kind::Fixed(_) => None,
            Kind::Knockout(knockout) => Some(knockout.tournament(results)),
            Kind::Swiss(swiss) => Some(swiss.tournament(results)),
        }
    }

    /// Hands out the next pair, which may already be finished.
    pub fn next(&mut self, results: &PairResults) -> NextPair {
        if let Kind::Fixed(fixed) = &mut self.kind {
            return fixed.next().map_or(NextPair::Over, NextPair::Play);
        }
        let Some(tournament) = self.tournament(results) else { return NextPair::Over };
        let boards = tournament.rounds.iter().flat_map(|round| &round.boards);
        let pairs = boards.flat_map(Board::known_pairs);
        let open = pairs.filter(|pair| !self.handed_out.contains(&pair.index));
        // The boards of a round take turns.
        match open.min_by_key(|pair| pair.index).copied() {
            Some(pair) => {
                self.handed_out.insert(pair.index);
                NextPair::Play(pair)
            }
            None if tournament.is_over => NextPair::Over,
            None => NextPair::Wait,
        }
    }
}
