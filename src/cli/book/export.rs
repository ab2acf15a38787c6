//! `manoury book export`: a book for other programs.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

use clap::{Args, ValueEnum};

use crate::book::{Book, BookMove, within};
use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::notation::pdn::{AnnotatedMove, GameRecord, Line, write_game};
use crate::position::{Key, Position};
use crate::rules::{Rules, VariantVisitor};

use super::place::Place;
use super::probe::Answer;
use super::text;

/// Write a book as JSON or PDN, on standard output
///
/// JSON: a line for each expanded position, as `manoury book probe --json` writes it. PDN: one game for each
/// move from the start, with side lines, and scores for White as comments where a line ends; a position
/// that several lines come to has its moves in the first.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The form
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    place: Place,
    /// Leave out moves that are worse than the best by more than this, in men
    #[arg(long, value_name = "MEN")]
    margin: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Json,
    Pdn,
}

/// Writes the book.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.game.variant.visit(Exporter(arguments))
}

struct Exporter<'a>(&'a Arguments);

impl VariantVisitor for Exporter<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Arguments { format, place, margin, .. } = self.0;
        let book = place.need::<R>()?;
        let mut output = BufWriter::new(io::stdout().lock());
        let margin = margin.map_or(u32::MAX, |margin| (margin * 100.0).round() as u32);
        let mut walk = Walk { book: &book, margin, seen: HashSet::new() };
        match format {
            Format::Json => walk.json(&mut output)?,
            Format::Pdn => walk.pdn(&mut output)?,
        }
        Ok(output.flush()?)
    }
}

/// Goes through a book, to each position once.
struct Walk<'a, R: Rules> {
    book: &'a Book<R>,
    margin: u32,
    seen: HashSet<Key>,
}

impl<R: Rules> Walk<'_, R> {
    /// The moves of a position that are good enough, if nobody has seen them before.
    fn moves(&mut self, position: &Position<R>) -> Vec<BookMove<R>> {
        if !self.seen.insert(position.key()) {
            return Vec::new();
        }
        within(&self.book.moves(position), self.margin).to_vec()
    }

    fn json(&mut self, output: &mut impl Write) -> Result<(), Error> {
        let mut waiting = vec![Position::start()];
        while let Some(position) = waiting.pop() {
            let moves = self.moves(&position);
            if moves.is_empty() {
                continue;
            }
            let answer = Answer::new(self.book, &position);
            writeln!(output, "{}", serde_json::to_string(&answer)?)?;
            waiting.extend(moves.into_iter().rev().map(|mv| mv.next));
        }
        Ok(())
    }

    fn pdn(&mut self, output: &mut impl Write) -> Result<(), Error> {
        let start = Position::start();
        for (number, mv) in self.moves(&start).into_iter().enumerate() {
            let mut record = GameRecord::new(start);
            record.tags.set("Event", "book of Manoury");
            record.tags.set("Round", &(number + 1).to_string());
            record.tags.set("Result", "*");
            self.line(&mut record.line, &start, mv);
            writeln!(output, "{}", write_game(&record))?;
        }
        Ok(())
    }

    /// Writes a move and its best line; other moves on the way are side lines.
    fn line(&mut self, line: &mut Line<R>, position: &Position<R>, first: BookMove<R>) {
        let (mut position, mut mv, mut others) = (*position, first, Vec::new());
        loop {
            let mut annotated = AnnotatedMove::new(mv.mv);
            for other in others {
                let mut side_line = Line::default();
                self.line(&mut side_line, &position, other);
                annotated.variations.push(side_line);
            }
            let score = text::for_white(mv.score, position.side());
            position = mv.next;
            let moves = self.moves(&position);
            let Some((&best, rest)) = moves.split_first() else {
                annotated.comments.push(score);
                line.moves.push(annotated);
                return;
            };
            line.moves.push(annotated);
            (mv, others) = (best, rest.to_vec());
        }
    }
}
