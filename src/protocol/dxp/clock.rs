//! The engine's clock. Each program keeps its own clock and trusts the other's.

use std::time::Duration;

use crate::search::{self, Limits};

/// The time and move limits of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameLimits {
    /// The time for all moves of a side; `None` for no limit.
    pub time: Option<Duration>,
    /// The number of moves of each side after which the game ends; `None` for no limit.
    pub moves: Option<u32>,
    /// The time for a move in a game without a time limit.
    pub move_time: Duration,
}

/// The time that the engine has used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnClock {
    limit: GameLimits,
    /// The time for each of its moves.
    spent: Vec<Duration>,
}

impl OwnClock {
    /// A clock at the start of a game.
    pub fn new(limit: GameLimits) -> Self {
        OwnClock { limit, spent: Vec::new() }
    }

    /// The limits of the next search.
    pub fn limits(&self) -> Limits {
        let Some(time) = self.limit.time else {
            return Limits { move_time: Some(self.limit.move_time), ..Limits::default() };
        };
        let moves = self.limit.moves.map(|moves| moves.saturating_sub(self.moves()).max(1));
        let clock = search::Clock {
            remaining: time.saturating_sub(self.total()),
            increment: Duration::ZERO,
            moves,
        };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    /// Adds the time of a move. Returns the whole seconds to report for it, such that the seconds
    /// of all moves add up to their total time.
    pub fn add(&mut self, time: Duration) -> u32 {
        let before = self.total().as_secs();
        self.spent.push(time);
        u32::try_from(self.total().as_secs() - before).unwrap_or(u32::MAX)
    }

    /// Drops all but the first `moves` moves of the engine.
    pub fn go_back(&mut self, moves: usize) {
        self.spent.truncate(moves);
    }

    /// The number of moves made.
    pub fn moves(&self) -> u32 {
        u32::try_from(self.spent.len()).unwrap_or(u32::MAX)
    }

    /// The total time of all moves made.
    fn total(&self) -> Duration {
        self.spent.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn clock(time: Option<Duration>, moves: Option<u32>) -> OwnClock {
        OwnClock::new(GameLimits { time, moves, move_time: Duration::from_secs(2) })
    }

    #[test]
    fn time_runs_and_comes_back() {
        let mut clock = clock(Some(MINUTE), Some(2));
        let left =
            |clock: &OwnClock| clock.limits().clock.map(|clock| (clock.remaining, clock.moves));
        assert_eq!(left(&clock), Some((MINUTE, Some(2))));
        clock.add(Duration::from_secs(20));
        assert_eq!(left(&clock), Some((Duration::from_secs(40), Some(1))));
        clock.add(Duration::from_secs(50));
        assert_eq!(left(&clock), Some((Duration::ZERO, Some(1))));
        clock.go_back(1);
        assert_eq!((clock.moves(), left(&clock)), (1, Some((Duration::from_secs(40), Some(1)))));
    }

    #[test]
    fn seconds_add_up() {
        let mut clock = clock(Some(MINUTE), None);
        let told: Vec<u32> = (0..5).map(|_| clock.add(Duration::from_millis(700))).collect();
        assert_eq!(told, [0, 1, 1, 0, 1]);
    }

    #[test]
    fn without_a_time_for_the_game_a_move_has_one() {
        let limits = clock(None, None).limits();
        assert_eq!((limits.clock, limits.move_time), (None, Some(Duration::from_secs(2))));
    }
}
