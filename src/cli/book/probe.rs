//! `manoury book probe`: what a book knows about positions.

use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use serde::Serialize;

use crate::book::{Book, BookMove};
use crate::cli::Error;
use crate::cli::answers::PositionAnswer;
use crate::cli::positions::Positions;
use crate::erased::Position;
use crate::notation::{fen, hub};

use super::file::BookFile;

/// Show what a book knows about a position
///
/// Prints one line per move, the best first: the move, its score for the side to move in men, and
/// the line the book expects. Prints nothing for a position that is not in the book or is at one of
/// its ends. With `-`, prints one line per position: its moves with their scores.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    file: BookFile,
    /// Print one JSON object per position: variant, fen, score (in men, null for an unknown
    /// position), depth (of the search that found it; null if the book goes on) and moves, the best
    /// first, each with move, score, depth and line
    #[arg(short, long)]
    json: bool,
}

/// What a book knows about a position.
#[derive(Serialize)]
pub struct BookAnswer {
    variant: &'static str,
    fen: String,
    score: Option<f64>,
    depth: Option<u8>,
    moves: Vec<BookMoveAnswer>,
}

#[derive(Serialize)]
struct BookMoveAnswer {
    r#move: String,
    score: f64,
    depth: Option<u8>,
    line: Vec<String>,
}

impl BookAnswer {
    /// Looks a position up.
    pub fn new(book: &Book, position: &Position) -> Self {
        let entry = book.entry(position);
        BookAnswer {
            variant: position.variant().name(),
            fen: fen::format(position),
            score: entry.map(|entry| men(entry.score.0)),
            depth: entry.map(|entry| entry.depth).filter(|&depth| depth > 0),
            moves: book.moves(position).iter().map(|mv| BookMoveAnswer::new(book, mv)).collect(),
        }
    }
}

impl BookMoveAnswer {
    fn new(book: &Book, mv: &BookMove) -> Self {
        BookMoveAnswer {
            r#move: hub::format_move(mv.mv),
            score: men(mv.score.0),
            depth: Some(mv.entry.depth).filter(|&depth| depth > 0),
            line: book.line(&mv.next).into_iter().map(hub::format_move).collect(),
        }
    }
}

fn men(hundredths: i16) -> f64 {
    f64::from(hundredths) / 100.0
}

/// Prints the answers.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { positions, file, json } = arguments;
    let book = file.need(positions.variant())?;
    positions.answer(*json, |position| BookAnswer::new(&book, position))
}

impl PositionAnswer for BookAnswer {
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
            table.add_row([mv.r#move.clone(), format!("{:+.2}", mv.score), mv.line.join(" ")]);
        }
        table.trim_fmt() + "\n"
    }
}
