//! Counts of games and their samples.

use std::fmt;
use std::ops::AddAssign;

use crate::board::Side;
use crate::learn::data::Sample;

/// Games by their results, and the number of their samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SampleTally {
    /// Games won by White.
    pub white: u64,
    /// Games drawn, or without a sample.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// Samples.
    pub positions: u64,
}

impl SampleTally {
    /// The tally of one game.
    pub fn of(samples: &[Sample]) -> Self {
        let mut tally = SampleTally { positions: samples.len() as u64, ..SampleTally::default() };
        match samples.first().and_then(|sample| sample.winner) {
            Some(Side::White) => tally.white = 1,
            Some(Side::Black) => tally.black = 1,
            None => tally.draws = 1,
        }
        tally
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.white + self.draws + self.black
    }
}

impl AddAssign for SampleTally {
    fn add_assign(&mut self, other: SampleTally) {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.positions += other.positions;
    }
}

impl fmt::Display for SampleTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (SampleTally { white, draws, black, positions }, games) = (self, self.games());
        write!(f, "games={games} positions={positions} white={white} draws={draws} black={black}")
    }
}
