//! How a game ends.

use std::fmt;

use crate::board::Side;
use crate::movegen;
use crate::position::Position;
use crate::rules::{Goal, Rules};

/// How a game has ended, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The side that has won, `None` for a draw.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
}

/// Why a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The side to move has no piece left.
    NoPieces,
    /// The side to move has pieces but no move.
    Blocked,
    /// A side has a king, in a game that ends with it.
    King,
    /// The same position with the same side to move has come too often.
    Repetition,
    /// Too many moves in a row of kings only, without capture.
    KingMoves,
    /// Too many moves in an ending that the rules limit; the article.
    Ending(&'static str),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NoPieces => f.write_str("no piece left"),
            Reason::Blocked => f.write_str("no move left"),
            Reason::King => f.write_str("a king"),
            Reason::Repetition => f.write_str("repetition"),
            Reason::KingMoves => f.write_str("king moves only"),
            Reason::Ending(article) => write!(f, "move limit of the ending, article {article}"),
        }
    }
}

/// How the game has ended in a position by itself, `None` if the side to move has a move.
pub fn terminal<R: Rules>(position: &Position<R>) -> Option<Outcome> {
    let side = position.side();
    let win = |winner, reason| Some(Outcome { winner: Some(winner), reason });
    if R::GOAL == Goal::King && position.kings(side.opponent()).is_some() {
        return win(side.opponent(), Reason::King);
    }
    if movegen::has_move(position) {
        return None;
    }
    let winner = if R::GOAL == Goal::Lose { side } else { side.opponent() };
    let reason = if position.pieces(side).is_empty() { Reason::NoPieces } else { Reason::Blocked };
    win(winner, reason)
}
