//! A finished game: how it ended, its result and its record.

use crate::board::Side;
use crate::erased::Game;
use crate::game::Outcome;
use crate::notation::pdn::{self, GameRecord, ResultText};

use super::EndReason;

/// A game that was played over DXP.
#[derive(Clone, Debug)]
pub struct DxpGame {
    /// The positions and moves.
    pub game: Game,
    /// The side that the engine played.
    pub side: Side,
    /// The names of the players, White's first.
    pub names: [String; 2],
    /// The end of the game.
    pub end: DxpEnd,
}

/// The end of a game (see [`DxpGame::ending`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DxpEnd {
    /// By the rules.
    Rules(Outcome),
    /// The opponent ended the game in a position that is not final by the rules.
    Declared(EndReason),
    /// The agreed number of moves was reached.
    MovesMade,
    /// The opponent violated the rules or the protocol; the text says how.
    Violation(String),
    /// The connection was lost.
    Lost,
    /// The opponent requested another game.
    Replaced,
    /// The user of this program stopped the game.
    Interrupted,
}

impl DxpGame {
    /// The winner: `Some(None)` for a draw, `None` if the result is unknown.
    pub fn winner(&self) -> Option<Option<Side>> {
        match self.end {
            DxpEnd::Rules(outcome) => Some(outcome.winner),
            DxpEnd::Declared(EndReason::Draw) => Some(None),
            DxpEnd::Declared(EndReason::Resigns) => Some(Some(self.side)),
            DxpEnd::Declared(EndReason::HasWon) => Some(Some(self.side.opponent())),
            _ => None,
        }
    }

    /// The result in points, as in international draughts; `*` if it is unknown.
    pub fn points(&self) -> &'static str {
        self.winner().map_or("*", ResultText::of)
    }

    /// A description of how the game ended.
    pub fn ending(&self) -> String {
        let opponent = if self.side == Side::White { "Black" } else { "White" };
        match &self.end {
            DxpEnd::Rules(outcome) => outcome.reason.to_string(),
            DxpEnd::Declared(EndReason::Unknown) => format!("{opponent} ended the game"),
            DxpEnd::Declared(EndReason::Resigns) => format!("{opponent} resigns"),
            DxpEnd::Declared(EndReason::Draw) => format!("{opponent} declares a draw"),
            DxpEnd::Declared(EndReason::HasWon) => format!("{opponent} claims a win"),
            DxpEnd::MovesMade => "move limit reached".to_owned(),
            DxpEnd::Violation(what) => what.clone(),
            DxpEnd::Lost => "connection lost".to_owned(),
            DxpEnd::Replaced => format!("{opponent} requested another game"),
            DxpEnd::Interrupted => "interrupted".to_owned(),
        }
    }

    /// The game as a PDN record.
    pub fn record(&self) -> GameRecord {
        let mut record = GameRecord::from_game(&self.game);
        record.tags.set("Event", "DamExchange game");
        record.tags.set("Date", &pdn::today());
        record.tags.set("White", &self.names[0]);
        record.tags.set("Black", &self.names[1]);
        record.set_result(self.points());
        record.tags.set("Termination", &self.ending());
        record
    }
}
