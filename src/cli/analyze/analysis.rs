//! What a search has found, as JSON shows it.

use serde::Serialize;

use crate::board::{Geometry, Side};
use crate::cli::speed::Speed;
use crate::game::Outcome;
use crate::notation::{fen, hub};
use crate::position::Position;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::Info;

/// A position and its best lines.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Analysis {
    variant: &'static str,
    fen: String,
    /// `None` while the game goes on.
    pub result: Option<GameResult>,
    /// The best first; none if the game is over.
    pub lines: Vec<Line>,
}

/// How a game has ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameResult {
    /// `white` or `black`, `None` for a draw.
    pub winner: Option<&'static str>,
    /// Why.
    pub reason: String,
}

/// A line of play.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// 1 for the best.
    pub rank: u32,
    /// Plies.
    pub depth: u32,
    /// Plies from the root to the leaves, on average.
    mean_depth: f64,
    /// In men, from the side to move.
    pub score: f64,
    /// Plies to the end of the game, if it is a forced win.
    pub win_in: Option<u32>,
    /// Plies to the end of the game, if it is a forced loss.
    pub loss_in: Option<u32>,
    /// Nodes, time and rate of the search up to when the line was found.
    #[serde(flatten)]
    pub speed: Speed,
    /// The moves, in Hub notation.
    pub pv: Vec<String>,
}

impl Analysis {
    /// Of a position that was searched.
    pub fn new<R: Rules>(position: &Position<R>, lines: Vec<Line>) -> Analysis {
        Analysis { variant: R::VARIANT.name(), fen: fen::format(position), result: None, lines }
    }

    /// Of a position that ends the game.
    pub fn of_finished<R: Rules>(position: &Position<R>, outcome: Outcome) -> Analysis {
        let winner = outcome.winner.map(|winner| match winner {
            Side::White => "white",
            Side::Black => "black",
        });
        let result = GameResult { winner, reason: outcome.reason.to_string() };
        Analysis { result: Some(result), ..Analysis::new(position, Vec::new()) }
    }
}

impl Line {
    /// A line as the search has told it.
    pub fn new<G: Geometry>(info: &Info<G>) -> Line {
        let end = info.score.plies_to_end();
        let is_win = info.score > Score::DRAW;
        Line {
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

    /// `win in 7` or `loss in 6` plies, empty if neither is proven.
    pub fn end(&self) -> String {
        let text = |word, plies| format!("{word} in {plies}");
        let win = self.win_in.map(|plies| text("win", plies));
        win.or_else(|| self.loss_in.map(|plies| text("loss", plies))).unwrap_or_default()
    }
}
