//! `--bitbases`: the folder of bitbases.

use std::io;
use std::path::PathBuf;

use clap::Args;

use crate::bitbase::{BitbaseProblem, FileError, MAX_PIECES};
use crate::cli::Error;
use crate::engine::{bitbase_folder, default_bitbase_folder};
use crate::erased::Bitbases;
use crate::rules::Variant;
use crate::storage::FormatError;

/// The folder of bitbases to read.
#[derive(Args, Debug)]
pub struct BitbaseFolder {
    /// The folder of bitbases, with a subfolder for each game
    #[arg(long = "bitbases", alias = "dir", value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl BitbaseFolder {
    /// The folder of a game; `None` if `--bitbases` is not given and there is no standard folder.
    fn folder(&self, variant: Variant) -> Option<PathBuf> {
        let folder = self.dir.clone().or_else(default_bitbase_folder);
        folder.map(|folder| bitbase_folder(variant, &folder))
    }

    /// All bitbases of a game, those of the folder before those of the program, with all values as
    /// they are stored.
    ///
    /// # Errors
    ///
    /// A file cannot be used, or the folder given by `--bitbases` does not exist.
    pub fn open(&self, variant: Variant) -> Result<Bitbases, Error> {
        let mut bitbases = Bitbases::none(variant);
        bitbases.ignore_king_move_limit();
        if let Some(folder) = self.folder(variant) {
            if self.dir.is_some() && !folder.is_dir() {
                let message = format!("{}: no such folder", folder.display());
                return Err(Error::System(io::Error::new(io::ErrorKind::NotFound, message)));
            }
            if let Some(fault) = bitbases.open(&folder, MAX_PIECES).into_iter().next() {
                return Err(file_failed(fault));
            }
        }
        bitbases.add_embedded();
        Ok(bitbases)
    }
}

/// The error for a file that cannot be used.
pub fn file_failed(error: FileError) -> Error {
    let kind = match &error.problem {
        BitbaseProblem::Format(FormatError::Io(error)) => error.kind(),
        _ => io::ErrorKind::InvalidData,
    };
    Error::System(io::Error::new(kind, error.to_string()))
}
