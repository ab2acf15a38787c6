//! What has been played.

use std::fmt;
use std::ops::AddAssign;

use crate::board::{Geometry, Side};
use crate::learn::data::Sample;

/// Games by how they have ended, and what is stored of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won by White.
    pub white: u64,
    /// Games drawn, or without a stored position.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// Stored positions.
    pub positions: u64,
}

impl Tally {
    /// Of one game.
    pub fn of<G: Geometry>(samples: &[Sample<G>]) -> Self {
        let mut tally = Tally { positions: samples.len() as u64, ..Tally::default() };
        match samples.first().and_then(|sample| sample.winner) {
            Some(Side::White) => tally.white = 1,
            Some(Side::Black) => tally.black = 1,
            None => tally.draws = 1,
        }
        tally
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.white + self.draws + self.black
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.positions += other.positions;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Tally { white, draws, black, positions }, games) = (self, self.games());
        write!(f, "games={games} positions={positions} white={white} draws={draws} black={black}")
    }
}
