//! Analyses as text.

use comfy_table::presets::NOTHING;
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Table,
};

use crate::cli::answers::PositionAnswer;

use super::analysis::{Analysis, AnalysisLine, FinishedGame};

const NAMES: [&str; 7] = ["rank", "depth", "score", "nodes", "time", "nodes/s", "line"];

impl PositionAnswer for Analysis {
    /// Lines with columns of fixed widths, since the other positions are not known yet.
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

/// The column names of the rows of a batch.
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
        line.pv.join(" "),
    ]
}

/// A table of lines, at most as wide as the terminal, with a column for forced ends of the game if
/// there are any.
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
    // On a narrow terminal only the column of moves wraps.
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
