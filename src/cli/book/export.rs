//! `manoury book export`: writes a book for other programs.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

use clap::{Args, ValueEnum};

use crate::book::{Book, BookMove, moves_within};
use crate::cli::Error;
use crate::cli::args::VariantArgument;
use crate::cli::error::decimal;
use crate::cli::output::write_json;
use crate::erased::Position;
use crate::notation::pdn::{AnnotatedMove, GameRecord, MoveLine, write_game};
use crate::position::Key;

use super::show::BookReport;
use crate::cli::args::BookArgument;

/// Write a book to standard output as JSON or PDN
///
/// JSON: one line per expanded position, as `manoury book probe --json` prints it. PDN: one game
/// per move of the start position, with variations, and with White's score in a comment at the end
/// of each line; if several lines reach a position, only the first one continues from there.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    /// Output format
    #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
    format: ExportFormat,
    #[command(flatten)]
    game: VariantArgument,
    #[command(flatten)]
    file: BookArgument,
    /// Leave out moves that are worse than the best move by more than this many men
    #[arg(long, value_name = "MEN", value_parser = decimal(0.0..=f64::MAX))]
    margin: Option<f64>,
}

/// The examples at the end of the help.
const EXAMPLES: &str = "Examples:
  manoury book export --book my.book --format pdn
  manoury book export --variant english --margin 0.1 > english.jsonl";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ExportFormat {
    Json,
    Pdn,
}

/// Writes the book.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { format, game, file, margin } = arguments;
    let book = file.need(game.variant)?;
    let mut output = BufWriter::new(io::stdout().lock());
    let margin = margin.map_or(u32::MAX, |margin| (margin * 100.0).round() as u32);
    let mut walk = BookWalk { book: &book, margin, seen: HashSet::new() };
    match format {
        ExportFormat::Json => walk.json(&mut output)?,
        ExportFormat::Pdn => walk.pdn(&mut output)?,
    }
    Ok(output.flush()?)
}

/// A traversal of a book that visits each position once.
struct BookWalk<'a> {
    book: &'a Book,
    margin: u32,
    seen: HashSet<Key>,
}

impl BookWalk<'_> {
    /// The moves of a position that are within the margin; none if the position has been visited
    /// before.
    fn moves(&mut self, position: &Position) -> Vec<BookMove> {
        if !self.seen.insert(position.key()) {
            return Vec::new();
        }
        moves_within(&self.book.moves(position), self.margin).to_vec()
    }

    fn json(&mut self, output: &mut impl Write) -> Result<(), Error> {
        let mut waiting = vec![Position::start(self.book.variant())];
        while let Some(position) = waiting.pop() {
            let moves = self.moves(&position);
            if moves.is_empty() {
                continue;
            }
            write_json(output, &BookReport::new(self.book, &position))?;
            waiting.extend(moves.into_iter().rev().map(|mv| mv.next));
        }
        Ok(())
    }

    fn pdn(&mut self, output: &mut impl Write) -> Result<(), Error> {
        let start = Position::start(self.book.variant());
        for (number, mv) in self.moves(&start).into_iter().enumerate() {
            let mut record = GameRecord::new(start);
            record.tags.set("Event", "Manoury book");
            record.tags.set("Round", &(number + 1).to_string());
            record.tags.set("Result", "*");
            self.line(&mut record.line, &start, mv);
            writeln!(output, "{}", write_game(&record))?;
        }
        Ok(())
    }

    /// Appends a move and its best continuation to `line`; the other moves at each ply become
    /// variations.
    fn line(&mut self, line: &mut MoveLine, position: &Position, first: BookMove) {
        let (mut position, mut mv, mut others) = (*position, first, Vec::new());
        loop {
            let mut annotated = AnnotatedMove::new(mv.mv);
            for other in others {
                let mut variation = MoveLine::default();
                self.line(&mut variation, &position, other);
                annotated.variations.push(variation);
            }
            let score = super::for_white(mv.score, position.side());
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
