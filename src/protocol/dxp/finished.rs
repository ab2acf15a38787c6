//! A game that is over.

use std::fmt;

use crate::board::Side;
use crate::erased::Game;
use crate::game::Outcome;
use crate::notation::pdn::{self, GameRecord, ResultText};

use super::EndReason;

/// A game that was played over DXP.
#[derive(Clone, Debug)]
pub struct DxpGame {
    /// Its positions and moves.
    pub game: Game,
    /// The side that the engine played.
    pub side: Side,
    /// The names of the players, White's first.
    pub names: [String; 2],
    /// How it ended.
    pub end: DxpEnd,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DxpEnd {
    /// By the rules.
    Rules(Outcome),
    /// The opponent declared the end, in a position that is not final by the rules.
    Declared(EndReason),
    /// The agreed number of moves was reached.
    MovesMade,
    /// The opponent broke the rules or the protocol: an explanation.
    Violation(String),
    /// The connection was lost.
    Lost,
    /// The opponent requested another game.
    Replaced,
    /// The user of this program stopped it.
    Interrupted,
}

impl DxpGame {
    /// The winner, within `Some(None)` for a draw; `None` if the result is unknown.
    pub fn winner(&self) -> Option<Option<Side>> {
        match self.end {
            DxpEnd::Rules(outcome) => Some(outcome.winner),
            DxpEnd::Declared(EndReason::Draw) => Some(None),
            DxpEnd::Declared(EndReason::Resigns) => Some(Some(self.side)),
            DxpEnd::Declared(EndReason::HasWon) => Some(Some(self.side.opponent())),
            _ => None,
        }
    }

    /// The result in the points of international draughts, `*` if it is unknown.
    pub fn points(&self) -> &'static str {
        self.winner().map_or("*", ResultText::of)
    }

    /// The game as a PDN record.
    pub fn record(&self) -> GameRecord {
        let mut record = GameRecord::from_game(&self.game);
        record.tags.set("Event", "Game over DamExchange");
        record.tags.set("Date", &pdn::today());
        record.tags.set("White", &self.names[0]);
        record.tags.set("Black", &self.names[1]);
        record.set_result(self.points());
        record.tags.set("Termination", &self.end.to_string());
        record
    }
}

impl fmt::Display for DxpEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DxpEnd::Rules(outcome) => write!(f, "{}", outcome.reason),
            DxpEnd::Declared(EndReason::Unknown) => f.write_str("ended by the opponent"),
            DxpEnd::Declared(EndReason::Resigns) => f.write_str("the opponent gives up"),
            DxpEnd::Declared(EndReason::Draw) => f.write_str("the opponent calls it a draw"),
            DxpEnd::Declared(EndReason::HasWon) => f.write_str("the opponent says that it has won"),
            DxpEnd::MovesMade => f.write_str("all moves made"),
            DxpEnd::Violation(what) => f.write_str(what),
            DxpEnd::Lost => f.write_str("connection lost"),
            DxpEnd::Replaced => f.write_str("the opponent asks for another game"),
            DxpEnd::Interrupted => f.write_str("interrupted"),
        }
    }
}
