//! The score of the games.

use std::fmt;

use crate::protocol::dxp::{DxpEnd, DxpGame};

/// The number of games by result, from the point of view of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScoreTally {
    wins: u32,
    draws: u32,
    losses: u32,
    unknown: u32,
    /// The number of games broken off, which are also counted by their result.
    broken: u32,
}

impl ScoreTally {
    /// Counts a game.
    pub fn add(&mut self, game: &DxpGame) {
        let count = match game.winner() {
            Some(Some(side)) if side == game.side => &mut self.wins,
            Some(Some(_)) => &mut self.losses,
            Some(None) => &mut self.draws,
            None => &mut self.unknown,
        };
        *count += 1;
        self.broken += u32::from(matches!(game.end, DxpEnd::Violation(_) | DxpEnd::Lost));
    }

    /// The number of all games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses + self.unknown
    }

    /// The number of games broken off by a fault of the opponent or a lost connection.
    pub fn broken(&self) -> u32 {
        self.broken
    }
}

impl fmt::Display for ScoreTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScoreTally { wins, draws, losses, unknown, .. } = self;
        write!(
            f,
            "games={} wins={wins} draws={draws} losses={losses} unknown={unknown}",
            self.games()
        )
    }
}
