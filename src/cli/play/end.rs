//! How a game at the terminal ends.

use std::fmt;

use crate::board::Side;
use crate::game::Outcome;
use crate::notation::pdn::ResultText;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// By the rules.
    Rules(Outcome),
    /// The time of a side is over.
    Time(Side),
    /// A side has given up.
    Resigned(Side),
    /// Both sides have agreed on a draw.
    Agreed,
    /// Before there was a result.
    Stopped,
}

impl GameEnd {
    /// The result in the points of international draughts, `*` if there is none.
    pub fn points(self) -> &'static str {
        let winner = match self {
            GameEnd::Stopped => return "*",
            GameEnd::Agreed => None,
            GameEnd::Rules(outcome) => outcome.winner,
            GameEnd::Time(loser) | GameEnd::Resigned(loser) => Some(loser.opponent()),
        };
        ResultText::of(winner)
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.points() {
            ResultText::WHITE => f.write_str("White wins: ")?,
            ResultText::BLACK => f.write_str("Black wins: ")?,
            ResultText::DRAW => f.write_str("Draw: ")?,
            _ => {}
        }
        match self {
            GameEnd::Rules(outcome) => write!(f, "{}", outcome.reason),
            GameEnd::Time(_) => f.write_str("the time is over"),
            GameEnd::Resigned(_) => f.write_str("the opponent gives up"),
            GameEnd::Agreed => f.write_str("agreed"),
            GameEnd::Stopped => f.write_str("Stopped without a result"),
        }
    }
}
