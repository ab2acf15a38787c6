//! The record of a finished game, as stored in the log.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::Side;
use crate::engine::bitbase_result;
use crate::erased::{Bitbases, Game};
use crate::game::GameResult;
use crate::notation::pdn::ResultText;
use crate::notation::{fen, hub};

use super::client::SearchReport;

/// A finished game. Its JSON form is a line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The pair to which the game belongs, and the engines that play it.
    #[serde(flatten)]
    pub slot: GameSlot,
    /// The round, board and game on that board, such as `2.1.3`, in a tournament with rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// The names and versions that the engines of White and Black reported; empty if unknown.
    #[serde(default, skip_serializing_if = "are_empty")]
    pub identities: [String; 2],
    /// The machine on which the game was played; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub machine: String,
    /// When the game started, in UTC: `2026-11-21T06:33:05Z`.
    pub date: String,
    /// The name of the opening.
    pub opening: String,
    /// The position before the first move, in FEN.
    pub fen: String,
    /// The number of plies that belong to the opening.
    pub opening_plies: usize,
    /// The winner: `white`, `black`, or `null` for a draw.
    pub winner: Option<Side>,
    /// Why the game ended.
    pub reason: Termination,
    /// Details of the reason, such as the draw rule, the illegal move or the signal.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Time from the first move request to the end of the game, in seconds.
    pub seconds: f64,
    /// All moves, starting with those of the opening.
    pub moves: Vec<PlayedMove>,
}

fn are_empty(texts: &[String; 2]) -> bool {
    texts.iter().all(String::is_empty)
}

impl PlayedGame {
    /// The number of the game in PDN: its pair and its number in the pair, such as `5.2`, or, in a
    /// tournament with rounds, its round, board and number on that board.
    pub fn number(&self) -> String {
        self.slot.number(self.round.as_deref())
    }

    /// The result in points, as in international draughts: `2-0`, `1-1` or `0-2`.
    pub fn points(&self) -> &'static str {
        ResultText::of(self.winner)
    }

    /// Why the game ended, with details.
    pub fn ending(&self) -> String {
        match &self.detail[..] {
            "" => self.reason.to_string(),
            detail => format!("{}: {detail}", self.reason),
        }
    }
}

/// The place of a game in a match: its pair and its engines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GameSlot {
    /// The index of the pair: two games between the same engines from the same opening.
    pub pair: usize,
    /// The index of the game in the pair: 0, or 1 for the game with colours reversed.
    pub game: usize,
    /// The index of the engine that plays White.
    pub white: usize,
    /// The index of the engine that plays Black.
    pub black: usize,
}

/// A move and the engine's report about it. Moves of the opening have no report.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PlayedMove {
    /// The move in Hub notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Time in seconds, measured by the arena.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Depth in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Score in men, from the point of view of the side that moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Nodes searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time by which the move exceeded its time limit, in seconds; `None` if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<f64>,
    /// Time by which the time reported by the engine exceeds the measured time, in seconds; `None`
    /// if it does not exceed it significantly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_gap: Option<f64>,
}

/// Why a game ended. In JSON the variants have kebab-case names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// A win by the rules: no moves, no pieces, or a king in breakthrough.
    Rules,
    /// A draw by repetition.
    Repetition,
    /// A draw by too many consecutive king moves.
    KingMoves,
    /// A draw by the move limit for an endgame; the detail is the article of the rules.
    EndingLimit,
    /// A win on which both engines agree.
    AgreedWin,
    /// A draw on which both engines agree.
    AgreedDraw,
    /// A draw because the game reached the maximum length.
    Length,
    /// An adjudication of a result that the bitbases contain.
    Bitbase,
    /// An engine resigned.
    Resigned,
    /// An engine exceeded its time limit.
    Time,
    /// An engine answered with an illegal move.
    IllegalMove,
    /// An engine returned no move although it had a legal move.
    NoMove,
    /// An engine claimed a draw or a win, and its opponent did not agree.
    FalseClaim,
    /// An engine did not start.
    NoStart,
    /// An engine's process ended during the game.
    Crash,
    /// An engine did not reply, even after it was told to stop.
    Hang,
    /// An engine wrote more output than allowed.
    Flood,
    /// An engine violated the protocol.
    Protocol,
}

impl Termination {
    /// Whether the game was lost by a fault of the losing engine rather than by its play.
    pub fn is_fault(self) -> bool {
        self >= Termination::Time
    }

    /// The reason in words as logs and JSON contain it, where the words must not change.
    pub fn logged_name(self) -> &'static str {
        match self {
            Termination::Rules => "by the rules",
            Termination::Length => "length",
            Termination::Bitbase => "bitbase",
            Termination::Time => "time",
            Termination::NoMove => "no move",
            Termination::FalseClaim => "false claim",
            Termination::Hang => "hang",
            Termination::Flood => "flood",
            other => other.name(),
        }
    }

    /// The reason in words, for display.
    fn name(self) -> &'static str {
        match self {
            Termination::Rules => "end of game",
            Termination::Repetition => "repetition",
            Termination::KingMoves => "king moves only",
            Termination::EndingLimit => "endgame move limit",
            Termination::AgreedWin => "agreed win",
            Termination::AgreedDraw => "agreed draw",
            Termination::Length => "move limit",
            Termination::Bitbase => "bitbases",
            Termination::Resigned => "resigned",
            Termination::Time => "loss on time",
            Termination::IllegalMove => "illegal move",
            Termination::NoMove => "no move returned",
            Termination::FalseClaim => "rejected claim",
            Termination::NoStart => "no start",
            Termination::Crash => "crash",
            Termination::Hang => "no reply",
            Termination::Flood => "too much output",
            Termination::Protocol => "protocol",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl GameSlot {
    /// The number of the game in PDN: `round` if it is given, otherwise the pair and the number in
    /// the pair.
    pub fn number(&self, round: Option<&str>) -> String {
        round.map_or_else(|| format!("{}.{}", self.pair + 1, self.game + 1), str::to_owned)
    }

    /// The index of the engine that plays a side.
    pub fn engine(&self, side: Side) -> usize {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }
}

impl PlayedGame {
    /// The side that makes the first move.
    pub fn first_to_move(&self) -> Side {
        if self.fen.starts_with('B') { Side::Black } else { Side::White }
    }

    /// The winner according to the bitbases, at the first position of the game that they contain;
    /// the winner as played if they contain none, or if the game was lost by a fault.
    pub fn winner_by_bitbases(&self, bitbases: &Bitbases) -> Option<Side> {
        let known = || {
            let mut game = Game::from_position(fen::parse(bitbases.variant(), &self.fen).ok()?);
            for played in &self.moves {
                game.play(hub::parse_move_leniently(game.position(), &played.mv).ok()?);
                if let Some((winner, _)) = bitbase_result(&game, bitbases) {
                    return Some(winner);
                }
            }
            None
        };
        if self.reason.is_fault() { self.winner } else { known().unwrap_or(self.winner) }
    }

    /// The result for a side.
    pub fn result(&self, side: Side) -> GameResult {
        GameResult::of(self.winner, side)
    }
}

/// The minimum excess of a reported time over the measured time that is recorded: as a fraction of
/// the measured time, and in seconds, so that rounding does not count.
const CLOCK_GAP: (f64, f64) = (0.1, 0.02);

impl PlayedMove {
    /// A move of the opening.
    pub fn of_opening(mv: String) -> PlayedMove {
        PlayedMove { mv, ..PlayedMove::default() }
    }

    /// A searched move that took `time`, with a time limit of `limit`.
    pub fn new(
        mv: String,
        time: Duration,
        limit: Option<Duration>,
        report: &SearchReport,
    ) -> PlayedMove {
        let SearchReport { depth, score, nodes, .. } = *report;
        let over = limit.and_then(|limit| time.checked_sub(limit)).filter(|over| !over.is_zero());
        let over = over.map(|over| over.as_secs_f64());
        let seconds = time.as_secs_f64();
        let gap = report.time.map(|own| own.as_secs_f64() - seconds);
        let (share, least) = CLOCK_GAP;
        let clock_gap = gap.filter(|&gap| gap > least && gap > share * seconds);
        PlayedMove { mv, time: Some(seconds), depth, score, nodes, over, clock_gap }
    }
}
