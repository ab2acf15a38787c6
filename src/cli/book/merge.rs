//! `manoury book merge`: one book of several.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::book::{About, Book, Graph};
use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::rules::{Rules, VariantVisitor};

use super::place::file_failed;
use super::text;

/// Put books together
///
/// The new book knows what any of them knows, and of two searches of a position at its ends the deeper one.
///
/// The last line is that of `manoury book build`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Files of books; what the new one says about its search comes from the first
    #[arg(value_name = "FILE", required = true, num_args = 2..)]
    files: Vec<PathBuf>,
    /// The file of the new book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    game: GameArgument,
}

/// Merges and prints how much.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.game.variant.visit(Merger(arguments))
}

struct Merger<'a>(&'a Arguments);

impl VariantVisitor for Merger<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Arguments { files, out, .. } = self.0;
        let start = Instant::now();
        let (mut graph, mut first) = (Graph::<R>::default(), None);
        for path in files {
            let book = Book::open(path).map_err(file_failed)?;
            graph.add(&book).map_err(|problem| {
                let message = format!("{}: {problem}", path.display());
                io::Error::new(io::ErrorKind::InvalidData, message)
            })?;
            first.get_or_insert_with(|| book.about().clone());
        }
        // There are two files at least.
        let Some(about) = first else { return Ok(()) };
        let about = About { expanded: graph.expanded() as u64, ..about };
        Book::<R>::write(out, &about, &graph.entries()).map_err(file_failed)?;
        writeln!(io::stdout().lock(), "{}", text::summary(&graph, start.elapsed()))?;
        Ok(())
    }
}
