//! `manoury book merge`: merges several books into one.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::book::{About, Book, Graph};
use crate::cli::Error;
use crate::cli::game::GameArgument;

use super::file::file_failed;
use super::text;

/// Merge books
///
/// The new book knows every position that one of the books knows. Where several have searched a
/// position at their ends, it takes the deepest search.
///
/// The last line is that of `manoury book build`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Book files; the new book takes the description of its search from the first
    #[arg(value_name = "FILE", required = true, num_args = 2..)]
    files: Vec<PathBuf>,
    /// The new book file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    game: GameArgument,
}

/// Merges the books and prints a summary.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { files, out, game } = arguments;
    let (start, variant) = (Instant::now(), game.variant);
    let (mut graph, mut first) = (Graph::new(variant), None);
    for path in files {
        let book = Book::open(variant, path).map_err(file_failed)?;
        graph.add(&book).map_err(|problem| {
            let message = format!("{}: {problem}", path.display());
            io::Error::new(io::ErrorKind::InvalidData, message)
        })?;
        first.get_or_insert_with(|| book.about().clone());
    }
    // The parser requires two files.
    let Some(about) = first else { return Ok(()) };
    let about = About { expanded: graph.expanded() as u64, ..about };
    Book::write(out, &about, &graph.entries()).map_err(file_failed)?;
    writeln!(io::stdout().lock(), "{}", text::summary(&graph, start.elapsed()))?;
    Ok(())
}
