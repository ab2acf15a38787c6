//! `--book`: which book.

use std::io;
use std::path::PathBuf;

use clap::Args;

use crate::book::{Book, FileError, Problem};
use crate::cli::Error;
use crate::rules::Rules;

/// The book to look into.
#[derive(Args, Debug)]
pub struct Place {
    /// The file of a book, as `manoury book build` makes it [default: the one in the program]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

impl Place {
    /// The book; `None` if none is named and the program has none for the game.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is damaged or for another game.
    pub fn open<R: Rules>(&self) -> Result<Option<Book<R>>, Error> {
        match &self.book {
            None => Ok(Book::of_program()),
            Some(path) => Ok(Some(Book::open(path).map_err(file_failed)?)),
        }
    }

    /// The book.
    ///
    /// # Errors
    ///
    /// As [`Place::open`], and if there is none.
    pub fn need<R: Rules>(&self) -> Result<Book<R>, Error> {
        let missing = || {
            let variant = R::VARIANT;
            Error::Input(format!("the program has no book for {variant}; --book names a file"))
        };
        self.open()?.ok_or_else(missing)
    }
}

/// A file that cannot be used.
pub fn file_failed(error: FileError) -> Error {
    let kind = match &error.problem {
        Problem::OtherVariant(_) | Problem::NoBook => return Error::Input(error.to_string()),
        Problem::Io(cause) => cause.kind(),
        _ => io::ErrorKind::InvalidData,
    };
    Error::System(io::Error::new(kind, error.to_string()))
}
