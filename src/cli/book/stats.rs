//! `manoury book stats`: the size and shape of a book.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::book::Book;
use crate::cli::Error;
use crate::cli::answers::write_json;
use crate::cli::game::GameArgument;
use crate::erased::Position;
use crate::notation::hub;
use crate::position::Key;

use super::file::BookFile;

/// Show the size of a book, how far it goes, and its best line
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    file: BookFile,
    /// Print a JSON object: variant, program, weights, effort, checksum, positions, expanded,
    /// score, line, mean_depth (of the searches at the ends) and plies, a list with plies, expanded
    /// and ends: the numbers of positions that many plies from the start
    #[arg(short, long)]
    json: bool,
}

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
    line: Vec<String>,
    mean_depth: f64,
    plies: Vec<PlyCount>,
}

/// Numbers of positions by their distance from the start, along the shortest way.
#[derive(Serialize, Clone, Copy, Default)]
struct PlyCount {
    plies: usize,
    expanded: usize,
    ends: usize,
}

/// Prints the statistics.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let statistics = BookStatistics::new(&arguments.file.need(arguments.game.variant)?);
    let mut output = io::stdout().lock();
    if arguments.json {
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
            line: book.line(&start).into_iter().map(hub::format_move).collect(),
            mean_depth,
            plies,
        }
    }
}

/// The positions of each ply, and the mean depth of the searches at the ends.
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
    let weights = weights.as_deref().unwrap_or("chosen by hand");
    let mut text = format!(
        "{variant}, by version {program}, weights {weights}, {effort} a position, checksum {checksum}\n\
         {positions} positions, {expanded} expanded; searches at the ends {mean_depth:.1} plies deep\n\
         best line: {} ({score:+.2})\n plies  expanded      ends\n",
        statistics.line.join(" ")
    );
    for PlyCount { plies, expanded, ends } in &statistics.plies {
        text.push_str(&format!("{plies:6} {expanded:9} {ends:9}\n"));
    }
    text
}
