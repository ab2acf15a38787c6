//! A game that is over.

use std::fmt;

use crate::board::Side;
use crate::game::{Game, Outcome};
use crate::notation::pdn::{GameRecord, GameResult};
use crate::rules::Rules;

use super::EndReason;

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Finished<R: Rules> {
    /// Its positions and moves.
    pub game: Game<R>,
    /// The side that the engine had.
    pub side: Side,
    /// The names, White's first.
    pub names: [String; 2],
    /// How it has ended.
    pub ending: Ending,
}

/// How a game has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules.
    Rules(Outcome),
    /// The opponent says so, in a position that is not the end by itself.
    Said(EndReason),
    /// So many moves were agreed.
    MovesMade,
    /// The opponent has done what it must not: what.
    Fault(String),
    /// The connection was lost.
    Lost,
    /// The opponent has asked for another game.
    Replaced,
    /// The user of this program has stopped it.
    Interrupted,
}

/// Who has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A side.
    Win(Side),
    /// Neither.
    Draw,
    /// That is not known.
    Unknown,
}

impl<R: Rules> Finished<R> {
    /// Who has won.
    pub fn verdict(&self) -> Verdict {
        match self.ending {
            Ending::Rules(Outcome { winner: Some(side), .. }) => Verdict::Win(side),
            Ending::Rules(Outcome { winner: None, .. }) | Ending::Said(EndReason::Draw) => {
                Verdict::Draw
            }
            Ending::Said(EndReason::GivesUp) => Verdict::Win(self.side),
            Ending::Said(EndReason::HasWon) => Verdict::Win(self.side.opponent()),
            _ => Verdict::Unknown,
        }
    }

    /// The result in the points of international draughts, `*` if it is not known.
    pub fn result(&self) -> &'static str {
        match self.verdict() {
            Verdict::Win(Side::White) => GameResult::WHITE,
            Verdict::Win(Side::Black) => GameResult::BLACK,
            Verdict::Draw => GameResult::DRAW,
            Verdict::Unknown => "*",
        }
    }

    /// The game as PDN keeps it.
    pub fn record(&self) -> GameRecord<R> {
        let mut record = GameRecord::from_game(&self.game);
        record.tags.set("White", &self.names[0]);
        record.tags.set("Black", &self.names[1]);
        record.tags.set("Result", self.result());
        record.tags.set("Termination", &self.ending.to_string());
        record.terminator = GameResult::parse(self.result()).unwrap_or_else(GameResult::unknown);
        record
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Rules(outcome) => write!(f, "{}", outcome.reason),
            Ending::Said(EndReason::Unknown) => f.write_str("ended by the opponent"),
            Ending::Said(EndReason::GivesUp) => f.write_str("the opponent gives up"),
            Ending::Said(EndReason::Draw) => f.write_str("the opponent calls it a draw"),
            Ending::Said(EndReason::HasWon) => f.write_str("the opponent says that it has won"),
            Ending::MovesMade => f.write_str("all moves made"),
            Ending::Fault(what) => f.write_str(what),
            Ending::Lost => f.write_str("connection lost"),
            Ending::Replaced => f.write_str("the opponent asks for another game"),
            Ending::Interrupted => f.write_str("interrupted"),
        }
    }
}
