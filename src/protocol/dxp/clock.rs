//! The engine's own clock. Each program keeps its own, and trusts the other's.

use std::time::Duration;

use crate::search::{self, Limits};

/// What a game may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTime {
    /// For all moves of a side; none: the engine chooses.
    pub time: Option<Duration>,
    /// The moves of each side after which the game ends.
    pub moves: Option<u32>,
    /// For a move where the game has no limit.
    pub move_time: Duration,
}

/// How long the engine has thought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnClock {
    limit: GameTime,
    /// For each of its moves.
    spent: Vec<Duration>,
}

impl OwnClock {
    /// A clock at the start of a game.
    pub fn new(limit: GameTime) -> Self {
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

    /// A move has taken so long. Returns the whole seconds to tell of: those of all moves add up to the
    /// time that all have taken.
    pub fn add(&mut self, time: Duration) -> u32 {
        let before = self.total().as_secs();
        self.spent.push(time);
        u32::try_from(self.total().as_secs() - before).unwrap_or(u32::MAX)
    }

    /// Goes back to where the engine had made so many moves.
    pub fn go_back(&mut self, moves: usize) {
        self.spent.truncate(moves);
    }

    /// The moves made.
    pub fn moves(&self) -> u32 {
        u32::try_from(self.spent.len()).unwrap_or(u32::MAX)
    }

    /// The time of all moves made.
    fn total(&self) -> Duration {
        self.spent.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn clock(time: Option<Duration>, moves: Option<u32>) -> OwnClock {
        OwnClock::new(GameTime { time, moves, move_time: Duration::from_secs(2) })
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
