//! Who plays whom, in which order.

use std::ops::Range;

use super::played::GameSlot;

/// Which engines of a match meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchFormat {
    /// Every engine meets every other.
    RoundRobin,
    /// The first engine meets each of the others.
    Gauntlet,
}

/// The pairs of games of a match: in each round every pairing plays two games with reversed colours
/// from the opening of the round.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    /// The indices of the pairs that are played.
    pairs: Range<usize>,
}

/// Two games of two engines from one opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GamePair {
    /// Its index among all pairs.
    pub index: usize,
    /// The round, which is also the index of its opening.
    pub round: usize,
    /// The engine that plays White in the first game.
    pub first: usize,
    /// Its opponent.
    pub second: usize,
}

impl Schedule {
    /// The schedule of a match with this number of engines and rounds.
    pub fn new(engines: usize, format: MatchFormat, rounds: usize) -> Schedule {
        let champions = match format {
            MatchFormat::RoundRobin => engines,
            MatchFormat::Gauntlet => engines.min(1),
        };
        let pairings = (0..champions)
            .flat_map(|first| (first + 1..engines).map(move |second| (first, second)))
            .collect::<Vec<_>>();
        let pairs = 0..pairings.len() * rounds;
        Schedule { pairings, pairs }
    }

    /// Only these pairs of the schedule, by index.
    pub fn only(self, pairs: Range<usize>) -> Schedule {
        Schedule { pairs, ..self }
    }

    /// The engines that meet, as indices, the lower one first.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The indices of the pairs, which are ordered by round.
    pub fn pairs(&self) -> Range<usize> {
        self.pairs.clone()
    }

    /// A pair by its index; `None` if it is not played.
    pub fn pair(&self, index: usize) -> Option<GamePair> {
        if !self.pairs.contains(&index) {
            return None;
        }
        let (first, second) = self.pairings[index % self.pairings.len()];
        Some(GamePair { index, round: index / self.pairings.len(), first, second })
    }
}

impl GamePair {
    /// Its two games.
    pub fn slots(&self) -> [GameSlot; 2] {
        let GamePair { index: pair, first, second, .. } = *self;
        [
            GameSlot { pair, game: 0, white: first, black: second },
            GameSlot { pair, game: 1, white: second, black: first },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_engines_meet_in_each_round() {
        let schedule = Schedule::new(4, MatchFormat::RoundRobin, 3);
        assert_eq!(schedule.len(), 18);
        assert_eq!(schedule.pairings(), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        let pair = schedule.pair(7).unwrap();
        assert_eq!(pair, GamePair { index: 7, round: 1, first: 0, second: 2 });
        assert_eq!(schedule.pair(18), None);
        let [one, two] = pair.slots();
        assert_eq!((one.white, one.black, two.white, two.black), (0, 2, 2, 0));
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let schedule = Schedule::new(3, MatchFormat::Gauntlet, 2);
        assert_eq!(schedule.pairings(), [(0, 1), (0, 2)]);
        assert_eq!(schedule.len(), 4);
        assert!(Schedule::new(1, MatchFormat::RoundRobin, 2).is_empty());
    }
}
