//! The goals of problems.

use std::fmt;
use std::str::FromStr;

/// What the side to move has to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// To win.
    Win,
    /// To win with this many moves of its own at the most.
    WinIn(u32),
    /// Not to lose.
    Draw,
    /// To win material by a shot: this many men at least, a king counted as three.
    Gain(i32),
}

impl Goal {
    /// What is left of the goal after some plies of a line that leads to it; `None` if nothing is
    /// left to be said.
    pub(super) fn after(self, plies: usize) -> Option<Goal> {
        match self {
            Goal::Win | Goal::Draw => Some(self),
            Goal::WinIn(moves) => {
                let left = moves.checked_sub(plies as u32 / 2).filter(|&left| left > 0);
                left.map(Goal::WinIn)
            }
            Goal::Gain(_) => None,
        }
    }
}

/// The largest number of moves in `win in N`.
const MAX_MOVES: u32 = 20;
/// The largest number of men in `gain N`.
const MAX_MEN: i32 = 30;

/// `win`, `win in 3`, `draw`, `gain 2`.
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Win => f.write_str("win"),
            Goal::WinIn(moves) => write!(f, "win in {moves}"),
            Goal::Draw => f.write_str("draw"),
            Goal::Gain(men) => write!(f, "gain {men}"),
        }
    }
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lower = text.to_lowercase();
        let words: Vec<_> = lower.split([' ', '-']).filter(|word| !word.is_empty()).collect();
        let goal = match words[..] {
            ["win" | "wins"] => Some(Goal::Win),
            ["draw" | "draws"] => Some(Goal::Draw),
            ["win" | "wins", "in", moves] => {
                let moves = moves.parse().ok().filter(|moves| (1..=MAX_MOVES).contains(moves));
                moves.map(Goal::WinIn)
            }
            ["gain" | "gains", men] => {
                men.parse().ok().filter(|men| (1..=MAX_MEN).contains(men)).map(Goal::Gain)
            }
            _ => None,
        };
        goal.ok_or_else(|| {
            format!(
                "{text:?} is no goal: win, draw, win-in-N (1 to {MAX_MOVES} moves) or gain-N (1 \
                 to {MAX_MEN} men) is wanted"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_as_they_are_written() {
        for goal in [Goal::Win, Goal::WinIn(3), Goal::Draw, Goal::Gain(2)] {
            assert_eq!(goal.to_string().parse(), Ok(goal));
            assert_eq!(goal.to_string().replace(' ', "-").to_uppercase().parse(), Ok(goal));
        }
        for faulty in ["", "lose", "win in", "win in 0", "win in 99", "gain", "gain 0", "draw in 3"]
        {
            assert!(faulty.parse::<Goal>().is_err(), "{faulty}");
        }
    }
}
