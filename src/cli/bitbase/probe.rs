//! `manoury bitbase probe`: the values of positions.

use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use serde::Serialize;

use crate::bitbase::{Value, Verdict};
use crate::board::Move;
use crate::cli::Error;
use crate::cli::args::positions::PositionsArguments;
use crate::cli::args::{BitbasesArgument, JsonArgument};
use crate::cli::output::{PositionReport, ReportedMove, joined};
use crate::erased::{Bitbases, Game, Position};
use crate::notation::fen;

/// Show the value of a position and of each of its moves
///
/// All values, including those of moves, are for the side to move: a winning move has the value
/// `win`. Plies to the end of the game count from the position itself. A value that is not in the
/// bitbases is `unknown`. The best line follows, and whether it wins within the rules' move limits
/// (25, 16 and 5 in international draughts), counted from the position. With `-`, prints one line
/// per position: its value, then its moves with their values, the best first.
///
/// JSON, one object per position: variant, fen, value ("win", "draw", "loss" or null), plies (null
/// for a draw or if no file has them), in_time (whether the winner wins before the rules make the
/// game a draw; null for a draw or if unknown), line (the moves to the end; empty for a draw or if
/// unknown) and moves, the best first, each with move, value and plies. Moves are in Hub notation.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    positions: PositionsArguments,
    #[command(flatten)]
    folder: BitbasesArgument,
    #[command(flatten)]
    json: JsonArgument,
}

/// The examples at the end of the help.
const EXAMPLES: &str = "Examples:
  manoury bitbase probe --fen W:WK28:BK5
  manoury bitbase probe --fen W:W11:BK41 --json";

/// The bitbase values of a position and its moves.
#[derive(Serialize)]
struct ProbeReport {
    variant: &'static str,
    fen: String,
    #[serde(flatten)]
    end: ForcedEnd,
    in_time: Option<bool>,
    line: Vec<ReportedMove>,
    moves: Vec<RatedMove>,
}

#[derive(Serialize)]
struct RatedMove {
    r#move: ReportedMove,
    #[serde(flatten)]
    end: ForcedEnd,
}

/// The result of the game with best play.
#[derive(Serialize)]
struct ForcedEnd {
    value: Option<String>,
    plies: Option<u8>,
    #[serde(skip)]
    verdict: Option<Verdict>,
}

impl ForcedEnd {
    fn new(verdict: Option<Verdict>) -> Self {
        ForcedEnd {
            value: verdict.map(|verdict| verdict.value.to_string()),
            plies: verdict.and_then(|verdict| verdict.plies),
            verdict,
        }
    }

    fn text(&self) -> String {
        self.verdict.map_or("unknown".to_owned(), |verdict| verdict.to_string())
    }
}

impl ProbeReport {
    fn new(position: &Position, bitbases: &Bitbases) -> Self {
        let moves = position.sorted_moves().into_iter();
        let mut moves: Vec<_> = moves.map(|mv| RatedMove::new(position, mv, bitbases)).collect();
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.end.verdict));
        let line = bitbases.line(position).unwrap_or_default();
        ProbeReport {
            variant: position.variant().name(),
            fen: fen::format(position),
            end: ForcedEnd::new(bitbases.probe(position)),
            in_time: bitbases.wins_within_move_limits(&Game::from_position(*position)),
            line: ReportedMove::line(position, &line),
            moves,
        }
    }

    /// The end of the sentence about a position, which says whether the draw rules prevent a win;
    /// empty unless the position is won or lost.
    fn in_time(&self) -> &'static str {
        let is_decided = self.end.verdict.is_some_and(|verdict| verdict.value != Value::Draw);
        match self.in_time {
            Some(true) => ", before a draw by the rules",
            Some(false) => ", but the game is drawn by the rules first",
            None if is_decided => ", unless the game is drawn by the rules first",
            None => "",
        }
    }
}

impl RatedMove {
    fn new(position: &Position, mv: Move, bitbases: &Bitbases) -> Self {
        let verdict = bitbases.probe(&position.after(mv)).map(Verdict::before);
        RatedMove { r#move: ReportedMove::new(position, mv), end: ForcedEnd::new(verdict) }
    }
}

/// Prints the values.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { positions, folder, json } = arguments;
    let bitbases = folder.open(positions.variant())?;
    positions.report(json.is_on(), |position| ProbeReport::new(position, &bitbases))
}

impl PositionReport for ProbeReport {
    fn rows(&self) -> String {
        let moves = self.moves.iter().map(|mv| format!(", {} {}", mv.r#move, mv.end.text()));
        format!("{}{}\n", self.end.text(), moves.collect::<String>())
    }

    fn page(&self) -> String {
        let mut table = Table::new();
        table.load_style(NOTHING);
        for mv in &self.moves {
            table.add_row([mv.r#move.to_string(), mv.end.text()]);
        }
        let end = format!("{}{}", self.end.text(), self.in_time());
        let line = if self.line.is_empty() { vec![] } else { vec![joined(&self.line)] };
        [vec![end], line, vec![table.trim_fmt()]].concat().join("\n") + "\n"
    }
}
