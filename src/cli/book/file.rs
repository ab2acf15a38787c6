//! `--book`: the file of a book.

use std::path::PathBuf;

use clap::Args;

use crate::book::{Book, BookProblem, FileError};
use crate::cli::Error;
use crate::rules::Variant;
use crate::storage::FormatError;

/// The book to read.
#[derive(Args, Debug)]
pub struct BookFile {
    /// A book file made by `manoury book build` [default: the book in the program]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

impl BookFile {
    /// The book; `None` if `--book` is not given and the program has no book of the game.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is damaged, or is for another game.
    pub fn open(&self, variant: Variant) -> Result<Option<Book>, Error> {
        match &self.book {
            None => Ok(Book::embedded(variant)),
            Some(path) => Ok(Some(Book::open(variant, path).map_err(file_failed)?)),
        }
    }

    /// The book, which must exist.
    ///
    /// # Errors
    ///
    /// As [`BookFile::open`], or there is no book.
    pub fn need(&self, variant: Variant) -> Result<Book, Error> {
        self.open(variant)?.ok_or_else(|| {
            Error::Input(format!("the program has no book for {variant}; --book names a file"))
        })
    }
}

/// The error for a file that cannot be used.
pub fn file_failed(error: FileError) -> Error {
    let message = error.to_string();
    match &error.problem {
        BookProblem::Format(problem) => Error::of_file(message, problem),
        BookProblem::OtherVariant(_) => Error::Input(message),
        BookProblem::OtherKeys | BookProblem::Incomplete => {
            Error::of_file(message, &FormatError::Corrupt)
        }
    }
}
