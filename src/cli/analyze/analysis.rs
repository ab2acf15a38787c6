//! The result of an analysis, as JSON shows it.

use serde::Serialize;

use crate::board::Side;
use crate::cli::speed::Speed;
use crate::erased::Position;
use crate::game::Outcome;
use crate::notation::{fen, hub};
use crate::score::Score;
use crate::search::Info;

/// A position and its best lines.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Analysis {
    variant: &'static str,
    fen: String,
    /// The result of a finished game, `None` otherwise.
    pub result: Option<FinishedGame>,
    /// The best line first; empty for a finished game.
    pub lines: Vec<AnalysisLine>,
}

/// The result of a finished game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FinishedGame {
    /// `white` or `black`, `None` for a draw.
    pub winner: Option<&'static str>,
    /// Why the game is over.
    pub reason: String,
}

/// A line of play.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AnalysisLine {
    /// Rank among the lines, 1 for the best.
    pub rank: u32,
    /// Depth in plies.
    pub depth: u32,
    /// Mean depth of the leaves in plies.
    mean_depth: f64,
    /// Score in men, for the side to move.
    pub score: f64,
    /// Plies to the end of the game, for a forced win.
    pub win_in: Option<u32>,
    /// Plies to the end of the game, for a forced loss.
    pub loss_in: Option<u32>,
    /// The search up to the time the line was found.
    #[serde(flatten)]
    pub speed: Speed,
    /// The moves in Hub notation.
    pub pv: Vec<String>,
}

impl Analysis {
    /// The analysis of a searched position.
    pub fn new(position: &Position, lines: Vec<AnalysisLine>) -> Analysis {
        let variant = position.variant().name();
        Analysis { variant, fen: fen::format(position), result: None, lines }
    }

    /// The analysis of a position in which the game is over.
    pub fn of_finished(position: &Position, outcome: Outcome) -> Analysis {
        let winner = outcome.winner.map(Side::name);
        let result = FinishedGame { winner, reason: outcome.reason.to_string() };
        Analysis { result: Some(result), ..Analysis::new(position, Vec::new()) }
    }
}

impl AnalysisLine {
    /// A line reported by the search.
    pub fn new(info: &Info) -> AnalysisLine {
        let end = info.score.plies_to_end();
        let is_win = info.score > Score::DRAW;
        AnalysisLine {
            rank: info.rank,
            depth: info.depth,
            mean_depth: (info.mean_depth * 10.0).round() / 10.0,
            score: f64::from(info.score.0) / 100.0,
            win_in: end.filter(|_| is_win),
            loss_in: end.filter(|_| !is_win),
            speed: Speed::new(info.nodes, info.time),
            pv: info.pv.iter().copied().map(hub::format_move).collect(),
        }
    }

    /// `win in 7` or `loss in 6` (plies), empty if neither is proven.
    pub fn end(&self) -> String {
        let text = |word, plies| format!("{word} in {plies}");
        let win = self.win_in.map(|plies| text("win", plies));
        win.or_else(|| self.loss_in.map(|plies| text("loss", plies))).unwrap_or_default()
    }
}
