//! The best lines of a position: as JSON, as text, and live on a terminal.

use std::time::Duration;

use comfy_table::presets::NOTHING;
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Table,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::board::Side;
use crate::cli::output::{PositionReport, ReportedMove, Speed, joined, plural};
use crate::erased::Position;
use crate::game::Outcome;
use crate::notation::fen;
use crate::score::Score;
use crate::search::Info;

/// A position and its best lines.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Analysis {
    variant: &'static str,
    fen: String,
    /// The result of a finished game; `None` otherwise.
    pub result: Option<FinishedGame>,
    /// The best line first; empty for a finished game.
    pub lines: Vec<AnalysisLine>,
}

/// The result of a finished game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FinishedGame {
    /// `white` or `black`; `None` for a draw.
    pub winner: Option<&'static str>,
    /// The reason the game is over.
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
    /// The nodes, time and speed of the search when the line was found.
    #[serde(flatten)]
    pub speed: Speed,
    /// The moves.
    pub pv: Vec<ReportedMove>,
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
    /// Converts a line reported by a search of the position.
    pub fn new(position: &Position, info: &Info) -> AnalysisLine {
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
            pv: ReportedMove::line(position, &info.pv),
        }
    }

    /// `win in 7 plies` or `loss in 6 plies`; empty if neither is proven.
    pub fn end(&self) -> String {
        let text = |word, plies| format!("{word} in {}", plural(plies as usize, "ply", "plies"));
        let win = self.win_in.map(|plies| text("win", plies));
        win.or_else(|| self.loss_in.map(|plies| text("loss", plies))).unwrap_or_default()
    }
}

const NAMES: [&str; 7] = ["rank", "depth", "score", "nodes", "time", "nodes/s", "line"];

impl PositionReport for Analysis {
    /// The lines in fixed-width columns, because the widths needed for later positions are not
    /// known yet.
    fn rows(&self) -> String {
        match &self.result {
            Some(result) => sentence(result),
            None => self.lines.iter().map(|line| row(&cells(line)) + "\n").collect(),
        }
    }

    fn page(&self) -> String {
        match &self.result {
            Some(result) => sentence(result),
            None => table(self.lines.iter()),
        }
    }
}

/// The header row that precedes the rows of a batch.
pub fn header() -> String {
    row(&NAMES)
}

fn row(cells: &[impl AsRef<str>; 7]) -> String {
    let [rank, depth, score, nodes, time, speed, line] = cells.each_ref().map(AsRef::as_ref);
    format!("{rank:>4} {depth:>5} {score:>6} {nodes:>11} {time:>8} {speed:>9}  {line}")
}

fn cells(line: &AnalysisLine) -> [String; 7] {
    let speed = line.speed;
    [
        line.rank.to_string(),
        line.depth.to_string(),
        format!("{:.2}", line.score),
        speed.nodes.to_string(),
        format!("{:.3}", speed.time),
        speed.nps.to_string(),
        joined(&line.pv),
    ]
}

/// A table of lines, at most as wide as the terminal, with an extra column if any line leads to a
/// forced win or loss.
pub fn table<'a>(lines: impl Iterator<Item = &'a AnalysisLine> + Clone) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    let has_end = lines.clone().any(|line| !line.end().is_empty());
    let mut header = NAMES.to_vec();
    if has_end {
        header.insert(3, "end");
    }
    table.set_header(header.iter().map(|name| Cell::new(name).add_attribute(Attribute::Bold)));
    for line in lines {
        let mut row: Vec<_> = cells(line).into_iter().map(Cell::new_owned).collect();
        if has_end {
            let colour = if line.win_in.is_some() { Color::Green } else { Color::Red };
            row.insert(3, Cell::new_owned(line.end()).fg(colour));
        }
        table.add_row(row);
    }
    // On a narrow terminal, only the moves column wraps.
    for column in table.column_iter_mut().take(header.len() - 1) {
        column.set_cell_alignment(CellAlignment::Right);
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    table.trim_fmt() + "\n"
}

fn sentence(result: &FinishedGame) -> String {
    let FinishedGame { winner, reason } = result;
    let winner = match *winner {
        Some("white") => "White wins",
        Some(_) => "Black wins",
        None => "drawn",
    };
    format!("the game is over: {winner}, {reason}\n")
}

/// The interval between redraws.
const TICK: Duration = Duration::from_millis(100);

/// A table on standard error, redrawn as the search gets deeper.
pub struct LiveTable(Option<ProgressBar>);

impl LiveTable {
    /// A table that is drawn only if `is_shown` is set and standard error is a terminal.
    pub fn new(is_shown: bool) -> LiveTable {
        let bar = is_shown.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            // The template is a constant and always valid.
            if let Ok(style) = ProgressStyle::with_template("{msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(TICK);
            bar
        });
        LiveTable(bar)
    }

    /// Replaces the lines shown.
    pub fn show<'a>(&self, lines: impl Iterator<Item = &'a AnalysisLine> + Clone) {
        if let Some(bar) = &self.0 {
            bar.set_message(table(lines));
        }
    }

    /// Removes the table after the search.
    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
