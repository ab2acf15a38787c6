//! How the games have gone.

use std::fmt;

use crate::protocol::dxp::{Ending, Finished, Verdict};
use crate::rules::Rules;

/// Games by their ends, as the engine sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    wins: u32,
    draws: u32,
    losses: u32,
    unknown: u32,
    /// Those that something broke off.
    broken: u32,
}

impl Tally {
    /// Counts a game.
    pub fn add<R: Rules>(&mut self, game: &Finished<R>) {
        let count = match game.verdict() {
            Verdict::Win(side) if side == game.side => &mut self.wins,
            Verdict::Win(_) => &mut self.losses,
            Verdict::Draw => &mut self.draws,
            Verdict::Unknown => &mut self.unknown,
        };
        *count += 1;
        self.broken += u32::from(matches!(game.ending, Ending::Fault(_) | Ending::Lost));
    }

    /// All games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses + self.unknown
    }

    /// Those that a fault of the opponent or of the connection broke off.
    pub fn broken(&self) -> u32 {
        self.broken
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { wins, draws, losses, unknown, .. } = self;
        write!(
            f,
            "games={} wins={wins} draws={draws} losses={losses} unknown={unknown}",
            self.games()
        )
    }
}
