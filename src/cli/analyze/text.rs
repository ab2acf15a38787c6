//! Lines for people.

use comfy_table::presets::NOTHING;
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Table,
};

use super::analysis::{Analysis, GameResult, Line};

const NAMES: [&str; 7] = ["rank", "depth", "score", "nodes", "time", "nodes/s", "line"];

/// All about one position.
pub fn page(analysis: &Analysis) -> String {
    match &analysis.result {
        Some(result) => sentence(result),
        None => table(analysis.lines.iter()),
    }
}

/// One of many positions: columns of fixed widths, as the other positions are not known yet.
pub fn rows(analysis: &Analysis) -> String {
    match &analysis.result {
        Some(result) => sentence(result),
        None => analysis.lines.iter().map(|line| row(&cells(line)) + "\n").collect(),
    }
}

/// The names of the columns of [`rows`].
pub fn header() -> String {
    row(&NAMES)
}

fn row(cells: &[impl AsRef<str>; 7]) -> String {
    let [rank, depth, score, nodes, time, speed, line] = cells.each_ref().map(AsRef::as_ref);
    format!("{rank:>4} {depth:>5} {score:>6} {nodes:>11} {time:>8} {speed:>9}  {line}")
}

fn cells(line: &Line) -> [String; 7] {
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

/// Lines below each other, as wide as the terminal at the most. Forced ends of the game have a column
/// of their own if there are any.
pub fn table<'a>(lines: impl Iterator<Item = &'a Line> + Clone) -> String {
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
    // The moves alone give way when it gets narrow.
    for column in table.column_iter_mut().take(header.len() - 1) {
        column.set_cell_alignment(CellAlignment::Right);
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    table.trim_fmt() + "\n"
}

fn sentence(result: &GameResult) -> String {
    let GameResult { winner, reason } = result;
    let winner = match *winner {
        Some("white") => "White wins",
        Some(_) => "Black wins",
        None => "drawn",
    };
    format!("the game is over: {winner}, {reason}\n")
}
