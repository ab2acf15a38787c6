//! The output of commands: JSON, lines, tables, and messages on standard error.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use serde::{Serialize, Serializer};

use crate::board::{Move, Side};
use crate::engine::Engine;
use crate::erased::Position;
use crate::notation::{hub, pdn};

use super::Error;

/// A command's report on one position. It serializes to the JSON object that `--json` prints.
pub trait PositionReport: Serialize {
    /// The report as part of a batch: one line, or several if the command's help says so, each
    /// ending in a newline.
    fn rows(&self) -> String;

    /// The report on a single position: lines, each ending in a newline.
    fn page(&self) -> String;
}

/// The output format of a command's reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    /// A JSON object per line.
    Json,
    /// The rows of a batch.
    Rows,
    /// A page about a single position.
    Page,
}

impl OutputFormat {
    /// Prints a report on standard output.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written.
    pub fn print(self, answer: &impl PositionReport) -> Result<(), Error> {
        let mut output = io::stdout().lock();
        match self {
            OutputFormat::Json => write_json(&mut output, answer)?,
            OutputFormat::Rows => output.write_all(answer.rows().as_bytes())?,
            OutputFormat::Page => output.write_all(answer.page().as_bytes())?,
        }
        Ok(output.flush()?)
    }
}

/// Writes a value as a line of JSON.
///
/// # Errors
///
/// The output cannot be written.
pub fn write_json(output: &mut impl Write, value: &impl Serialize) -> Result<(), Error> {
    writeln!(output, "{}", serde_json::to_string(value)?)?;
    Ok(())
}

/// A move in a report: Hub notation in JSON, and the notation of players in text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedMove {
    hub: String,
    text: String,
}

impl ReportedMove {
    /// A legal move of a position.
    pub fn new(position: &Position, mv: Move) -> ReportedMove {
        ReportedMove { hub: hub::format_move(mv), text: pdn::format_move(position, mv) }
    }

    /// A line of moves from a position.
    pub fn line(start: &Position, moves: &[Move]) -> Vec<ReportedMove> {
        let mut position = *start;
        let line = moves.iter().map(|&mv| {
            let reported = ReportedMove::new(&position, mv);
            position = position.after(mv);
            reported
        });
        line.collect()
    }
}

impl Serialize for ReportedMove {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.hub)
    }
}

impl fmt::Display for ReportedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The moves of a line, separated by spaces.
pub fn joined(line: &[ReportedMove]) -> String {
    line.iter().map(ReportedMove::to_string).collect::<Vec<_>>().join(" ")
}

/// A number of nodes, the time spent on them, and the speed. Formatted as `nodes=N time=S nps=R`
/// (nodes, seconds, nodes per second).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Speed {
    /// Nodes.
    pub nodes: u64,
    /// Seconds.
    pub time: f64,
    /// Nodes per second.
    pub nps: u64,
}

impl Speed {
    /// The speed for `nodes` in `time`.
    pub fn new(nodes: u64, time: Duration) -> Speed {
        let time = time.as_secs_f64();
        // At least a nanosecond, to avoid a division by zero.
        let nps = (nodes as f64 / time.max(1e-9)) as u64;
        Speed { nodes, time, nps }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nodes={} time={:.6} nps={}", self.nodes, self.time, self.nps)
    }
}

/// A table of rows below a header, with all columns right-aligned.
pub fn number_table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    format_table(header, rows.into_iter().collect())
}

/// The part of [`number_table`] that is not generic, so that it is compiled only once.
fn format_table(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header).add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt() + "\n"
}

/// `1 ply`, `2 plies`.
pub fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Writes a line to standard error. A failure to write it is ignored.
pub fn print_stderr(text: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints the engine's warnings on standard error, one per line.
pub fn report_faults(engine: &mut Engine) {
    for fault in engine.take_warnings() {
        print_stderr(format_args!("{fault}"));
    }
}

/// `White` or `Black`.
pub fn colour(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}
