//! Outcomes of games.

use std::fmt;

use serde_core::de::Error;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

use crate::board::Side;
use crate::movegen;
use crate::position::BitPosition;
use crate::rules::{Goal, Rules};

/// The result of a game, and the reason for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Why the game ended.
    pub reason: Reason,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The side to move has no piece left.
    NoPieces,
    /// The side to move has pieces but no move.
    Blocked,
    /// A side has a king, in a variant won by the first side to get one.
    King,
    /// A position has occurred too often with the same side to move.
    Repetition,
    /// Too many consecutive king moves without a capture.
    KingMoves,
    /// Too many moves in an ending with a move limit; the field is the article of the rules.
    Ending(&'static str),
}

/// The result of a game for one of its players. Serialized by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameResult {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// One point.
    Win,
}

impl GameResult {
    /// All results, worst first.
    pub const ALL: [GameResult; 3] = [GameResult::Loss, GameResult::Draw, GameResult::Win];

    /// The result for `side` of a game won by `winner`, or drawn if `winner` is `None`.
    pub fn of(winner: Option<Side>, side: Side) -> Self {
        match winner {
            None => GameResult::Draw,
            Some(winner) if winner == side => GameResult::Win,
            Some(_) => GameResult::Loss,
        }
    }

    /// The result of the same game for the other player.
    pub const fn reversed(self) -> Self {
        match self {
            GameResult::Loss => GameResult::Win,
            GameResult::Draw => GameResult::Draw,
            GameResult::Win => GameResult::Loss,
        }
    }

    /// 0 for a loss, 1 for a draw, 2 for a win.
    pub const fn half_points(self) -> u8 {
        self as u8
    }

    /// `loss`, `draw` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            GameResult::Loss => "loss",
            GameResult::Draw => "draw",
            GameResult::Win => "win",
        }
    }
}

impl Serialize for GameResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for GameResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let result = GameResult::ALL.into_iter().find(|result| result.name() == name);
        result.ok_or_else(|| D::Error::unknown_variant(&name, &["loss", "draw", "win"]))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NoPieces => f.write_str("no pieces left"),
            Reason::Blocked => f.write_str("no legal moves"),
            Reason::King => f.write_str("a king"),
            Reason::Repetition => f.write_str("repetition"),
            Reason::KingMoves => f.write_str("king moves only"),
            Reason::Ending(article) => write!(f, "endgame move limit, article {article}"),
        }
    }
}

/// The outcome of a position regardless of its history; `None` if the side to move has a move.
pub fn terminal<R: Rules>(position: &BitPosition<R>) -> Option<Outcome> {
    let side = position.side();
    let win = |winner, reason| Some(Outcome { winner: Some(winner), reason });
    if position.rules().goal() == Goal::King && position.kings(side.opponent()).is_some() {
        return win(side.opponent(), Reason::King);
    }
    if movegen::has_move(position) {
        return None;
    }
    let winner = if position.rules().goal() == Goal::Lose { side } else { side.opponent() };
    let reason = if position.pieces(side).is_empty() { Reason::NoPieces } else { Reason::Blocked };
    win(winner, reason)
}
