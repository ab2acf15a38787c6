//! `manoury book probe`: what a book knows about positions.

use std::io::{self, Write};

use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use serde::Serialize;

use crate::book::{Book, BookMove};
use crate::cli::Error;
use crate::cli::positions::Positions;
use crate::notation::{fen, hub};
use crate::position::Position;
use crate::rules::{Rules, VariantVisitor};

use super::place::Place;

/// Tell what a book knows about positions
///
/// A line a move, the best first: its score for the side to move in men, and the line that the book
/// expects. Nothing is told of a position that is not in the book or at one of its ends. With `-`, one line a
/// position: its moves with their scores.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    place: Place,
    /// One JSON object a position: variant, fen, score (in men, null if the position is not known),
    /// depth (of the search that has found it; null if the book goes on) and moves, the best first, each with
    /// move, score, depth and line
    #[arg(long)]
    json: bool,
}

/// What is known about a position.
#[derive(Serialize)]
pub struct Answer {
    variant: &'static str,
    fen: String,
    score: Option<f64>,
    depth: Option<u8>,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    r#move: String,
    score: f64,
    depth: Option<u8>,
    line: Vec<String>,
}

impl Answer {
    /// What a book knows about a position.
    pub fn new<R: Rules>(book: &Book<R>, position: &Position<R>) -> Self {
        let entry = book.entry(position);
        Answer {
            variant: R::VARIANT.name(),
            fen: fen::format(position),
            score: entry.map(|entry| men(entry.score.0)),
            depth: entry.map(|entry| entry.depth).filter(|&depth| depth > 0),
            moves: book.moves(position).iter().map(|mv| MoveAnswer::new(book, mv)).collect(),
        }
    }
}

impl MoveAnswer {
    fn new<R: Rules>(book: &Book<R>, mv: &BookMove<R>) -> Self {
        MoveAnswer {
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

/// Prints what is known.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.positions.game.variant.visit(Prober(arguments))
}

struct Prober<'a>(&'a Arguments);

impl VariantVisitor for Prober<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Arguments { positions, place, json } = self.0;
        let book = place.need::<R>()?;
        let mut output = io::stdout().lock();
        positions.each::<R>(|position| {
            let answer = Answer::new(&book, position);
            if *json {
                writeln!(output, "{}", serde_json::to_string(&answer)?)?;
            } else if positions.is_batch() {
                writeln!(output, "{}", line(&answer))?;
            } else if !answer.moves.is_empty() {
                writeln!(output, "{}", table(&answer))?;
            }
            Ok(())
        })
    }
}

fn line(answer: &Answer) -> String {
    let moves = answer.moves.iter().map(|mv| format!("{} {:+.2}", mv.r#move, mv.score));
    moves.collect::<Vec<_>>().join(", ")
}

fn table(answer: &Answer) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    for mv in &answer.moves {
        table.add_row([mv.r#move.clone(), format!("{:+.2}", mv.score), mv.line.join(" ")]);
    }
    table.trim_fmt()
}
