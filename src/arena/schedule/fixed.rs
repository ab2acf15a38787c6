//! Formats whose pairs are known from the start.

use std::ops::Range;

use super::GamePair;

/// The pairs of a round robin or a gauntlet. In each round, every pairing plays one pair from the
/// opening of the round. The order of the pairs keeps the number of games balanced between the
/// engines at any time.
#[derive(Clone, Debug)]
pub struct FixedSchedule {
    /// The pairings, each as the indices of two engines, the lower index first.
    pairings: Vec<(usize, usize)>,
    /// The order in which the pairings of a round are played, as indices of pairings.
    order: Vec<usize>,
    /// The indices of the pairs to play.
    pairs: Range<usize>,
    rounds: usize,
    /// The number of pairs handed out or skipped.
    position: usize,
}

impl FixedSchedule {
    /// A round robin: every engine plays every other engine.
    pub fn round_robin(engines: usize, rounds: usize) -> FixedSchedule {
        FixedSchedule::new(engines, engines, rounds)
    }

    /// A gauntlet: the first engine plays each of the others.
    pub fn gauntlet(engines: usize, rounds: usize) -> FixedSchedule {
        FixedSchedule::new(engines.min(1), engines, rounds)
    }

    /// The first `first` engines each play all engines after them. The indices of the pairs, which
    /// are stored in logs, follow the order of the engines; the order of play does not.
    fn new(first: usize, engines: usize, rounds: usize) -> FixedSchedule {
        let pairings: Vec<_> = (0..first)
            .flat_map(|first| (first + 1..engines).map(move |second| (first, second)))
            .collect();
        let index = |pairing| pairings.iter().position(|known| *known == pairing);
        let order = laps(engines).into_iter().filter_map(index).collect();
        let pairs = 0..pairings.len() * rounds;
        FixedSchedule { pairings, order, pairs, rounds, position: 0 }
    }

    /// The schedule restricted to the pairs with these indices.
    pub fn restricted_to(self, pairs: Range<usize>) -> FixedSchedule {
        FixedSchedule { pairs, ..self }
    }

    /// The number of pairs to play.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are no pairs to play.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The number of openings.
    pub fn openings(&self) -> usize {
        self.rounds
    }
}

/// Hands out each pair once.
impl Iterator for FixedSchedule {
    type Item = GamePair;

    fn next(&mut self) -> Option<GamePair> {
        let count = self.pairings.len();
        while self.position < count * self.rounds {
            let opening = self.position / count;
            let pairing = self.order[self.position % count];
            self.position += 1;
            let index = opening * count + pairing;
            if self.pairs.contains(&index) {
                let (first, second) = self.pairings[pairing];
                return Some(GamePair { index, opening, first, second, place: None });
            }
        }
        None
    }
}

/// All pairings, in laps, by the circle method: in a lap, every engine plays once, or all but one
/// if the number of engines is odd.
fn laps(engines: usize) -> Vec<(usize, usize)> {
    let even = engines + engines % 2;
    let laps = 0..even.saturating_sub(1);
    let lap = |lap: usize| {
        // The last seat is fixed; the others rotate by one in each lap.
        let seat =
            move |seat: usize| if seat + 1 == even { seat } else { (seat + lap) % (even - 1) };
        (0..even / 2).map(move |number| (seat(number), seat(even - 1 - number)))
    };
    let ordered = |(one, other): (usize, usize)| (one.min(other), one.max(other));
    laps.flat_map(lap).map(ordered).filter(|&(_, high)| high < engines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_engines_meet_in_each_round() {
        let schedule = FixedSchedule::round_robin(4, 3);
        assert_eq!((schedule.len(), schedule.openings()), (18, 3));
        assert_eq!(schedule.pairings, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        let mut pairs: Vec<_> = schedule.collect();
        pairs.sort_by_key(|pair| pair.index);
        assert!(pairs.iter().map(|pair| pair.index).eq(0..18));
        let pair = GamePair { index: 7, opening: 1, first: 0, second: 2, place: None };
        assert_eq!(pairs[7], pair);
        let [one, two] = pair.slots();
        assert_eq!((one.white, one.black, two.white, two.black), (0, 2, 2, 0));
    }

    #[test]
    fn engines_have_played_as_often_as_each_other_at_any_time() {
        for engines in 2..=9 {
            let mut counts = vec![0; engines];
            for pair in FixedSchedule::round_robin(engines, 2) {
                counts[pair.first] += 1;
                counts[pair.second] += 1;
                let [min, max] = [counts.iter().min(), counts.iter().max()].map(Option::unwrap);
                let allowed = 1 + engines % 2;
                assert!(max - min <= allowed, "{engines}: {counts:?}");
            }
            assert!(counts.iter().all(|&count| count == 2 * (engines - 1)), "{counts:?}");
        }
    }

    #[test]
    fn the_first_engine_plays_a_gauntlet() {
        let schedule = FixedSchedule::gauntlet(3, 2);
        assert_eq!(schedule.pairings, [(0, 1), (0, 2)]);
        assert_eq!(schedule.count(), 4);
        assert!(FixedSchedule::round_robin(1, 2).is_empty());
        assert_eq!(FixedSchedule::round_robin(0, 2).next(), None);
    }

    #[test]
    fn a_part_has_the_pairs_of_its_range() {
        let part = FixedSchedule::round_robin(3, 4).restricted_to(4..8);
        let mut indices: Vec<_> = part.map(|pair| pair.index).collect();
        indices.sort_unstable();
        assert_eq!(indices, [4, 5, 6, 7]);
    }
}
