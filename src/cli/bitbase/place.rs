//! `--dir`: where bitbases are.

use std::io;
use std::path::PathBuf;

use clap::Args;

use crate::bitbase::{Bitbases, FileError, MOST_PIECES, Problem, folder_of, standard_folder};
use crate::cli::Error;
use crate::rules::Rules;

/// The folder to look into.
#[derive(Args, Debug)]
pub struct Place {
    /// The folder of bitbases, which has one for each game in it
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Place {
    /// The folder of a game; `None` if nobody names one and there is none where they usually are.
    fn folder<R: Rules>(&self) -> Option<PathBuf> {
        let folder = self.dir.clone().or_else(standard_folder);
        folder.map(|folder| folder_of::<R>(&folder))
    }

    /// All bitbases of a game.
    ///
    /// # Errors
    ///
    /// A file that cannot be used, or no folder where there should be one.
    pub fn open<R: Rules>(&self) -> Result<Bitbases<R>, Error> {
        let mut bitbases = Bitbases::embedded();
        let Some(folder) = self.folder::<R>() else {
            return Ok(bitbases);
        };
        if self.dir.is_some() && !folder.is_dir() {
            let message = format!("{}: no such folder", folder.display());
            return Err(Error::System(io::Error::new(io::ErrorKind::NotFound, message)));
        }
        match bitbases.open(&folder, MOST_PIECES).into_iter().next() {
            Some(fault) => Err(file_failed(fault)),
            None => Ok(bitbases),
        }
    }
}

/// A file that cannot be used.
pub fn file_failed(error: FileError) -> Error {
    let kind = match &error.problem {
        Problem::Io(error) => error.kind(),
        _ => io::ErrorKind::InvalidData,
    };
    Error::System(io::Error::new(kind, error.to_string()))
}
