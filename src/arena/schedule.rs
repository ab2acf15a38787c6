//! Who plays whom, in which order.

use super::played::Slot;

/// The form of a match of more than two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Everybody against everybody.
    RoundRobin,
    /// The first engine against each other one.
    Gauntlet,
}

/// The pairs of a match: each pairing plays two games, colours reversed, from the opening of each
/// round.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: usize,
}

/// Two games of two engines from one opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Its index among all pairs.
    pub index: usize,
    /// The round, which is the index of its opening.
    pub round: usize,
    /// The engine that plays White in the first game.
    pub first: usize,
    /// Its opponent.
    pub second: usize,
}

impl Schedule {
    /// The schedule of a match of so many engines and rounds.
    pub fn new(engines: usize, format: Format, rounds: usize) -> Schedule {
        let champions = match format {
            Format::RoundRobin => engines,
            Format::Gauntlet => engines.min(1),
        };
        let pairings = (0..champions)
            .flat_map(|first| (first + 1..engines).map(move |second| (first, second)))
            .collect();
        Schedule { pairings, rounds }
    }

    /// Who meets whom; the lower index first.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairings.len() * self.rounds
    }

    /// Whether nobody plays.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A pair, round by round.
    pub fn pair(&self, index: usize) -> Option<Pair> {
        if index >= self.len() {
            return None;
        }
        let (first, second) = self.pairings[index % self.pairings.len()];
        Some(Pair { index, round: index / self.pairings.len(), first, second })
    }
}

impl Pair {
    /// Its two games.
    pub fn slots(&self) -> [Slot; 2] {
        let Pair { index: pair, first, second, .. } = *self;
        [
            Slot { pair, game: 0, white: first, black: second },
            Slot { pair, game: 1, white: second, black: first },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_in_each_round() {
        let schedule = Schedule::new(4, Format::RoundRobin, 3);
        assert_eq!(schedule.len(), 18);
        assert_eq!(schedule.pairings(), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        let pair = schedule.pair(7).unwrap();
        assert_eq!(pair, Pair { index: 7, round: 1, first: 0, second: 2 });
        assert_eq!(schedule.pair(18), None);
        let [one, two] = pair.slots();
        assert_eq!((one.white, one.black, two.white, two.black), (0, 2, 2, 0));
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let schedule = Schedule::new(3, Format::Gauntlet, 2);
        assert_eq!(schedule.pairings(), [(0, 1), (0, 2)]);
        assert_eq!(schedule.len(), 4);
        assert!(Schedule::new(1, Format::RoundRobin, 2).is_empty());
    }
}
