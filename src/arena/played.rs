//! The record of a finished game: what the log keeps, and what everything else is made from.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::Side;

use super::client::Report;
use super::stats::GameScore;

/// A finished game. As JSON it is a line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// Where it stands in the match.
    #[serde(flatten)]
    pub slot: Slot,
    /// When it began, in UTC: `2026-11-21T06:33:05Z`.
    pub date: String,
    /// The name of the opening.
    pub opening: String,
    /// The position from which the moves go, as FEN.
    pub fen: String,
    /// How many of the moves are the opening.
    pub opening_plies: usize,
    /// Who has won: `white`, `black`, or nobody.
    pub winner: Option<Winner>,
    /// Why.
    pub reason: Reason,
    /// What there is to say about the reason: the draw rule, the illegal move, the signal.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Seconds from the first question to the end.
    pub seconds: f64,
    /// The moves, the opening first.
    pub moves: Vec<PlayedMove>,
}

/// The place of a game in a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Slot {
    /// The pair: two games of the same engines from the same opening.
    pub pair: usize,
    /// Which of the two: 0, or 1 with colours reversed.
    pub game: usize,
    /// The engine that plays White, as an index.
    pub white: usize,
    /// The engine that plays Black.
    pub black: usize,
}

/// A move and what its engine has told about it; the moves of the opening have nothing else.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PlayedMove {
    /// The move in Hub notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Seconds, as the arena has measured them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// In men, from the mover's side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Seconds by which the move exceeded its limit, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<f64>,
}

/// The side that has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// White.
    White,
    /// Black.
    Black,
}

/// Why a game has ended. The names in JSON are the words of [`Reason::name`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The rules of the game: no move, no piece, a king in breakthrough.
    Rules,
    /// A draw by repetition.
    Repetition,
    /// A draw by too many king moves.
    KingMoves,
    /// A draw by the move limit of an ending; the detail is the article.
    EndingLimit,
    /// Both engines agree on who wins.
    AgreedWin,
    /// Both engines agree on a draw.
    AgreedDraw,
    /// A draw because the game was too long.
    Length,
    /// The bitbases know how the game would have ended.
    Bitbase,
    /// An engine gave up.
    Resigned,
    /// An engine took more time than it had.
    Time,
    /// An engine answered with an illegal move.
    IllegalMove,
    /// An engine had moves and answered with none.
    NoMove,
    /// An engine said that the game was drawn or won, and the other did not agree.
    FalseClaim,
    /// An engine did not start.
    NoStart,
    /// An engine ended in the middle of the game.
    Crash,
    /// An engine did not answer.
    Hang,
    /// An engine wrote more than anybody could read.
    Flood,
    /// An engine broke the protocol.
    Protocol,
}

impl Reason {
    /// Whether it is the fault of the losing engine, not the course of the game.
    pub fn is_fault(self) -> bool {
        self >= Reason::Time
    }

    /// The reason in words.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Rules => "by the rules",
            Reason::Repetition => "repetition",
            Reason::KingMoves => "king moves only",
            Reason::EndingLimit => "move limit of an ending",
            Reason::AgreedWin => "agreed win",
            Reason::AgreedDraw => "agreed draw",
            Reason::Length => "length",
            Reason::Bitbase => "bitbase",
            Reason::Resigned => "resigned",
            Reason::Time => "time",
            Reason::IllegalMove => "illegal move",
            Reason::NoMove => "no move",
            Reason::FalseClaim => "false claim",
            Reason::NoStart => "no start",
            Reason::Crash => "crash",
            Reason::Hang => "hang",
            Reason::Flood => "flood",
            Reason::Protocol => "protocol",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Side> for Winner {
    fn from(side: Side) -> Winner {
        match side {
            Side::White => Winner::White,
            Side::Black => Winner::Black,
        }
    }
}

impl From<Winner> for Side {
    fn from(winner: Winner) -> Side {
        match winner {
            Winner::White => Side::White,
            Winner::Black => Side::Black,
        }
    }
}

impl Slot {
    /// The engine of a side.
    pub fn engine(&self, side: Side) -> usize {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }
}

impl Played {
    /// The side that makes the first of the moves.
    pub fn first_to_move(&self) -> Side {
        if self.fen.starts_with('B') { Side::Black } else { Side::White }
    }

    /// What a side has got.
    pub fn score(&self, side: Side) -> GameScore {
        score(self.winner.map(Side::from), side)
    }
}

/// What a side gets from a result.
pub fn score(winner: Option<Side>, side: Side) -> GameScore {
    match winner {
        None => GameScore::Draw,
        Some(winner) if winner == side => GameScore::Win,
        Some(_) => GameScore::Loss,
    }
}

impl PlayedMove {
    /// A move of the opening.
    pub fn of_opening(mv: String) -> PlayedMove {
        PlayedMove { mv, ..PlayedMove::default() }
    }

    /// A move that an engine has taken `time` for, where it had `most`.
    pub fn new(mv: String, time: Duration, most: Option<Duration>, report: &Report) -> PlayedMove {
        let Report { depth, score, nodes, .. } = *report;
        let over = most.and_then(|most| time.checked_sub(most)).filter(|over| !over.is_zero());
        let over = over.map(|over| over.as_secs_f64());
        PlayedMove { mv, time: Some(time.as_secs_f64()), depth, score, nodes, over }
    }
}
