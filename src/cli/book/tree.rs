//! `manoury book tree`: the strongest lines of a book.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use clap::Args;

use crate::book::{Book, BookMove, within};
use crate::cli::Error;
use crate::cli::positions::Positions;
use crate::notation::pdn;
use crate::position::{Key, Position};
use crate::rules::{Rules, VariantVisitor};

use super::place::Place;
use super::text;

/// Show the strongest lines of a book
///
/// Moves are numbered as in games, scores are White's, in men. Where several moves are good, each
/// has a line of its own, indented, the best first; what is said once is not said again: `...` stands where
/// another line has come to the same position.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    positions: Positions,
    #[command(flatten)]
    place: Place,
    /// How much worse than the best a move may be, in men
    #[arg(long, value_name = "MEN", default_value_t = 0.02)]
    margin: f64,
    /// Plies of the lines that may branch; after them only the best moves are shown
    #[arg(long, value_name = "N", default_value_t = 6)]
    plies: usize,
}

/// Prints the tree.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.positions.game.variant.visit(Printer(arguments))
}

struct Printer<'a>(&'a Arguments);

impl VariantVisitor for Printer<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Arguments { positions, place, margin, plies } = self.0;
        let book = place.need::<R>()?;
        let mut output = io::stdout().lock();
        positions.each::<R>(|position| {
            let margin = (margin * 100.0).round() as u32;
            let mut tree = Tree {
                book: &book,
                margin,
                plies: *plies,
                seen: HashSet::new(),
                text: String::new(),
            };
            tree.position(position, 0, 0);
            Ok(output.write_all(tree.text.as_bytes())?)
        })
    }
}

/// A tree that is being written.
struct Tree<'a, R: Rules> {
    book: &'a Book<R>,
    margin: u32,
    plies: usize,
    seen: HashSet<Key>,
    text: String,
}

impl<R: Rules> Tree<'_, R> {
    /// The good moves of a position, so many plies from the first.
    fn good(&self, position: &Position<R>, ply: usize) -> Vec<BookMove<R>> {
        let mut moves = self.book.moves(position);
        let good = within(&moves, self.margin).len();
        moves.truncate(if ply < self.plies { good } else { 1 });
        moves
    }

    /// Writes the lines from a position on, each on lines of their own.
    fn position(&mut self, position: &Position<R>, ply: usize, indent: usize) {
        for mv in self.good(position, ply) {
            self.text.push_str(&"  ".repeat(indent));
            self.line(position, mv, ply, indent);
        }
    }

    /// Writes a move and what follows, up to the next branch.
    fn line(&mut self, position: &Position<R>, first: BookMove<R>, ply: usize, indent: usize) {
        let (mut position, mut mv, mut ply) = (*position, first, ply);
        let mut is_first = true;
        loop {
            let is_numbered = is_first || ply.is_multiple_of(2);
            let number = if is_numbered { text::number(ply) + " " } else { String::new() };
            let blank = if is_first { "" } else { " " };
            // A text in memory takes everything.
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

    fn branches(
        &mut self,
        position: &Position<R>,
        good: &[BookMove<R>],
        ply: usize,
        indent: usize,
    ) {
        for &mv in good {
            self.text.push_str(&"  ".repeat(indent + 1));
            self.line(position, mv, ply, indent + 1);
        }
    }
}
