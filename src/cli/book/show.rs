//! Commands that query books: `probe`, `tree` and `stats`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::io::{self, Write};

use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use serde::Serialize;

use crate::book::{Book, BookMove, moves_within};
use crate::cli::Error;
use crate::cli::args::positions::PositionsArguments;
use crate::cli::args::{BookArgument, JsonArgument, VariantArgument};
use crate::cli::error::decimal;
use crate::cli::output::{PositionReport, ReportedMove, joined, write_json};
use crate::erased::Position;
use crate::notation::{fen, pdn};
use crate::position::Key;

/// Show the moves and scores of a position in a book
///
/// Prints one line per move, best first: the move, its score in men for the side to move, and the
/// best continuation in the book. Prints nothing for a position that is not in the book or is one
/// of its leaves. With `-`, prints one line per position: its moves with their scores.
///
/// JSON, one object per position: variant, fen, score (in men, null for an unknown position), depth
/// (of the search that found it; null for an expanded position) and moves, the best first, each
/// with move, score, depth and line, in Hub notation.
#[derive(Args, Debug)]
#[command(after_long_help = PROBE_EXAMPLES)]
pub struct ProbeArguments {
    #[command(flatten)]
    positions: PositionsArguments,
    #[command(flatten)]
    file: BookArgument,
    #[command(flatten)]
    json: JsonArgument,
}

/// The examples at the end of the help.
const PROBE_EXAMPLES: &str = "Examples:
  manoury book probe
  manoury book probe --variant russian --json";

/// The score and the moves of a position in a book.
#[derive(Serialize)]
pub struct BookReport {
    variant: &'static str,
    fen: String,
    score: Option<f64>,
    depth: Option<u8>,
    moves: Vec<BookMoveReport>,
}

#[derive(Serialize)]
struct BookMoveReport {
    r#move: ReportedMove,
    score: f64,
    depth: Option<u8>,
    line: Vec<ReportedMove>,
}

impl BookReport {
    /// Looks up a position.
    pub fn new(book: &Book, position: &Position) -> Self {
        let entry = book.entry(position);
        BookReport {
            variant: position.variant().name(),
            fen: fen::format(position),
            score: entry.map(|entry| men(entry.score.0)),
            depth: entry.map(|entry| entry.depth).filter(|&depth| depth > 0),
            moves: book
                .moves(position)
                .iter()
                .map(|mv| BookMoveReport::new(book, position, mv))
                .collect(),
        }
    }
}

impl BookMoveReport {
    fn new(book: &Book, position: &Position, mv: &BookMove) -> Self {
        BookMoveReport {
            r#move: ReportedMove::new(position, mv.mv),
            score: men(mv.score.0),
            depth: Some(mv.entry.depth).filter(|&depth| depth > 0),
            line: ReportedMove::line(&mv.next, &book.line(&mv.next)),
        }
    }
}

fn men(hundredths: i16) -> f64 {
    f64::from(hundredths) / 100.0
}

/// Prints the report on each position.
pub fn probe(arguments: &ProbeArguments) -> Result<(), Error> {
    let ProbeArguments { positions, file, json } = arguments;
    let book = file.need(positions.variant())?;
    positions.report(json.is_on(), |position| BookReport::new(&book, position))
}

impl PositionReport for BookReport {
    fn rows(&self) -> String {
        let moves = self.moves.iter().map(|mv| format!("{} {:+.2}", mv.r#move, mv.score));
        moves.collect::<Vec<_>>().join(", ") + "\n"
    }

    fn page(&self) -> String {
        if self.moves.is_empty() {
            return String::new();
        }
        let mut table = Table::new();
        table.load_style(NOTHING);
        for mv in &self.moves {
            table.add_row([mv.r#move.to_string(), format!("{:+.2}", mv.score), joined(&mv.line)]);
        }
        table.trim_fmt() + "\n"
    }
}

/// Show the strongest lines of a book
///
/// Moves are numbered as in games; scores are for White, in men. If several moves are good, each
/// starts a new indented line, the best first. A line that transposes to a position already shown
/// ends with `...`.
#[derive(Args, Debug)]
#[command(after_long_help = TREE_EXAMPLES)]
pub struct TreeArguments {
    #[command(flatten)]
    positions: PositionsArguments,
    #[command(flatten)]
    file: BookArgument,
    /// Also show moves worse than the best move by at most this many men
    #[arg(long, value_name = "MEN", default_value_t = 0.02, value_parser = decimal(0.0..=f64::MAX))]
    margin: f64,
    /// Number of plies in which lines may branch; later plies show only the best move
    #[arg(long, value_name = "N", default_value_t = 6)]
    plies: usize,
}

/// The examples at the end of the help.
const TREE_EXAMPLES: &str = "Examples:
  manoury book tree --plies 2
  manoury book tree --book my.book --margin 0.1";

/// Prints the tree.
pub fn tree(arguments: &TreeArguments) -> Result<(), Error> {
    let TreeArguments { positions, file, margin, plies } = arguments;
    let book = file.need(positions.variant())?;
    let margin = (margin * 100.0).round() as u32;
    let mut output = io::stdout().lock();
    positions.each(|position| {
        let (seen, text) = (HashSet::new(), String::new());
        let mut tree = BookTree { book: &book, margin, plies: *plies, seen, text };
        tree.position(position, 0, 0);
        Ok(output.write_all(tree.text.as_bytes())?)
    })
}

/// Writes the text of a tree.
struct BookTree<'a> {
    book: &'a Book,
    margin: u32,
    plies: usize,
    seen: HashSet<Key>,
    text: String,
}

impl BookTree<'_> {
    /// The moves to show in a position `ply` plies after the first position.
    fn good(&self, position: &Position, ply: usize) -> Vec<BookMove> {
        let mut moves = self.book.moves(position);
        let good = moves_within(&moves, self.margin).len();
        moves.truncate(if ply < self.plies { good } else { 1 });
        moves
    }

    /// Writes the lines from a position, each on a separate row.
    fn position(&mut self, position: &Position, ply: usize, indent: usize) {
        for mv in self.good(position, ply) {
            self.text.push_str(&"  ".repeat(indent));
            self.line(position, mv, ply, indent);
        }
    }

    /// Writes a move and its continuation up to the next branch, then the branches.
    fn line(&mut self, position: &Position, first: BookMove, ply: usize, indent: usize) {
        let (mut position, mut mv, mut ply) = (*position, first, ply);
        let mut is_first = true;
        loop {
            let is_numbered = is_first || ply.is_multiple_of(2);
            let number = if is_numbered { super::move_number(ply) + " " } else { String::new() };
            let blank = if is_first { "" } else { " " };
            // Writing to a `String` cannot fail.
            let _ = write!(self.text, "{blank}{number}{}", pdn::format_move(&position, mv.mv));
            let score = super::for_white(mv.score, position.side());
            (position, ply, is_first) = (mv.next, ply + 1, false);
            let is_new = self.seen.insert(position.key());
            let good = if is_new { self.good(&position, ply) } else { Vec::new() };
            if let [only] = good[..] {
                mv = only;
                continue;
            }
            let dots = if is_new { "" } else { " ..." };
            let _ = writeln!(self.text, " ({score}){dots}");
            return self.branches(&position, &good, ply, indent);
        }
    }

    fn branches(&mut self, position: &Position, good: &[BookMove], ply: usize, indent: usize) {
        for &mv in good {
            self.text.push_str(&"  ".repeat(indent + 1));
            self.line(position, mv, ply, indent + 1);
        }
    }
}

/// Show the size, the depth and the best line of a book
///
/// JSON: one object with variant, program, weights, effort, checksum, positions, expanded, score,
/// line, mean_depth (of the searches of the leaves) and plies, a list of objects with plies (from
/// the start), expanded and ends (the numbers of expanded positions and of leaves at that
/// distance).
#[derive(Args, Debug)]
#[command(after_long_help = STATS_EXAMPLES)]
pub struct StatsArguments {
    #[command(flatten)]
    game: VariantArgument,
    #[command(flatten)]
    file: BookArgument,
    #[command(flatten)]
    json: JsonArgument,
}

/// The examples at the end of the help.
const STATS_EXAMPLES: &str = "Examples:
  manoury book stats
  manoury book stats --book my.book --json";

/// The statistics of a book.
#[derive(Serialize)]
struct BookStatistics {
    variant: &'static str,
    program: String,
    weights: Option<String>,
    effort: String,
    checksum: String,
    positions: usize,
    expanded: usize,
    score: f64,
    line: Vec<ReportedMove>,
    mean_depth: f64,
    plies: Vec<PlyCount>,
}

/// The number of positions at a given ply, counted along the shortest line from the start.
#[derive(Serialize, Clone, Copy, Default)]
struct PlyCount {
    plies: usize,
    expanded: usize,
    ends: usize,
}

/// Prints the statistics.
pub fn stats(arguments: &StatsArguments) -> Result<(), Error> {
    let statistics = BookStatistics::new(&arguments.file.need(arguments.game.variant)?);
    let mut output = io::stdout().lock();
    if arguments.json.is_on() {
        return write_json(&mut output, &statistics);
    }
    write!(output, "{}", page(&statistics))?;
    Ok(())
}

impl BookStatistics {
    fn new(book: &Book) -> Self {
        let (about, start) = (book.about(), Position::start(book.variant()));
        let (plies, mean_depth) = count_by_ply(book);
        BookStatistics {
            variant: book.variant().name(),
            program: about.program.clone(),
            weights: about.weights.map(|checksum| format!("{checksum:08x}")),
            effort: about.effort.to_string(),
            checksum: format!("{:08x}", book.checksum()),
            positions: book.len(),
            expanded: plies.iter().map(|ply| ply.expanded).sum(),
            score: book.entry(&start).map_or(0.0, |entry| f64::from(entry.score.0) / 100.0),
            line: ReportedMove::line(&start, &book.line(&start)),
            mean_depth,
            plies,
        }
    }
}

/// The number of positions at each ply, and the mean depth of the leaf searches.
fn count_by_ply(book: &Book) -> (Vec<PlyCount>, f64) {
    let mut level: HashMap<Key, Position> = HashMap::new();
    let start = Position::start(book.variant());
    level.insert(start.key(), start);
    let mut seen: HashSet<Key> = level.keys().copied().collect();
    let mut plies = BTreeMap::new();
    let (mut depths, mut ends) = (0, 0);
    for number in 0.. {
        if level.is_empty() {
            break;
        }
        let mut ply = PlyCount { plies: number, ..PlyCount::default() };
        let mut next = HashMap::new();
        for position in level.values() {
            let Some(entry) = book.entry(position) else { continue };
            if !entry.is_expanded() {
                ply.ends += 1;
                (depths, ends) = (depths + u64::from(entry.depth), ends + 1);
                continue;
            }
            ply.expanded += 1;
            let moves = book.moves(position).into_iter();
            next.extend(
                moves.filter(|mv| seen.insert(mv.next.key())).map(|mv| (mv.next.key(), mv.next)),
            );
        }
        plies.insert(number, ply);
        level = next;
    }
    (plies.into_values().collect(), depths as f64 / f64::from(ends.max(1)))
}

fn page(statistics: &BookStatistics) -> String {
    let BookStatistics { variant, program, weights, effort, checksum, .. } = statistics;
    let BookStatistics { positions, expanded, score, mean_depth, .. } = statistics;
    let weights = weights.as_deref().unwrap_or("hand-crafted");
    let mut text = format!(
        "{variant}, by version {program}, weights {weights}, {effort} per position, \
         checksum {checksum}\n\
         {positions} positions, {expanded} expanded; \
         leaves searched to a mean depth of {mean_depth:.1} plies\n\
         best line: {} ({score:+.2})\n plies  expanded      ends\n",
        joined(&statistics.line)
    );
    for PlyCount { plies, expanded, ends } in &statistics.plies {
        text.push_str(&format!("{plies:6} {expanded:9} {ends:9}\n"));
    }
    text
}
