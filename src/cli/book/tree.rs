//! `manoury book tree`: the strongest lines of a book.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use clap::Args;

use crate::book::{Book, BookMove, within};
use crate::cli::Error;
use crate::cli::positions::Positions;
use crate::erased::Position;
use crate::notation::pdn;
use crate::position::Key;

use super::file::BookFile;
use super::text;

/// Show the strongest lines of a book
///
/// Moves are numbered as in games; scores are for White, in men. Where several moves are good, each
/// starts an indented line of its own, the best first. Where a line transposes to a position shown
/// before, `...` stands for the rest of it.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    file: BookFile,
    /// Also show moves worse than the best move by at most this many men
    #[arg(long, value_name = "MEN", default_value_t = 0.02)]
    margin: f64,
    /// Number of plies in which lines may branch; later plies show only the best move
    #[arg(long, value_name = "N", default_value_t = 6)]
    plies: usize,
}

/// Prints the tree.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { positions, file, margin, plies } = arguments;
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

/// The text of a tree while it is written.
struct BookTree<'a> {
    book: &'a Book,
    margin: u32,
    plies: usize,
    seen: HashSet<Key>,
    text: String,
}

impl BookTree<'_> {
    /// The good moves of a position `ply` plies from the first.
    fn good(&self, position: &Position, ply: usize) -> Vec<BookMove> {
        let mut moves = self.book.moves(position);
        let good = within(&moves, self.margin).len();
        moves.truncate(if ply < self.plies { good } else { 1 });
        moves
    }

    /// Writes the lines of a position, each on a line of its own.
    fn position(&mut self, position: &Position, ply: usize, indent: usize) {
        for mv in self.good(position, ply) {
            self.text.push_str(&"  ".repeat(indent));
            self.line(position, mv, ply, indent);
        }
    }

    /// Writes a move and what follows, up to the next branch.
    fn line(&mut self, position: &Position, first: BookMove, ply: usize, indent: usize) {
        let (mut position, mut mv, mut ply) = (*position, first, ply);
        let mut is_first = true;
        loop {
            let is_numbered = is_first || ply.is_multiple_of(2);
            let number = if is_numbered { text::number(ply) + " " } else { String::new() };
            let blank = if is_first { "" } else { " " };
            // Writing to a `String` cannot fail.
            let _ = write!(self.text, "{blank}{number}{}", pdn::format_move(&position, mv.mv));
            let score = text::for_white(mv.score, position.side());
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
