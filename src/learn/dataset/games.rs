//! The games of many files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::learn::data::{DataError, Origin, Problem, Reader, Sample};
use crate::rules::Rules;

/// What tells a game from all others: the seed of its file, and its number.
pub type Name = (u64, u64);

/// The files of games that some folders have, in the order of the folders and of the names.
///
/// # Errors
///
/// A folder cannot be read or has none.
pub fn files(folders: &[PathBuf]) -> Result<Vec<PathBuf>, DataError> {
    let mut all = Vec::new();
    for folder in folders {
        let mut files = games_in(folder).map_err(|error| Problem::Io(error).of(folder))?;
        if files.is_empty() {
            return Err(Problem::Empty.of(folder));
        }
        files.sort();
        all.append(&mut files);
    }
    Ok(all)
}

fn games_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let is_games = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "games");
    paths.filter(|path| path.as_ref().map_or(true, is_games)).collect()
}

/// Visits each game of some files, until the visitor fails.
///
/// # Errors
///
/// A file cannot be read, is damaged or has no games; whatever the visitor returns.
pub fn each_game<R: Rules>(
    files: &[PathBuf],
    mut visit: impl FnMut(Name, &[Sample<R::Geometry>]) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let mut samples = Vec::new();
    for file in files {
        let mut reader = Reader::<R>::open(file)?;
        let Origin::SelfPlay { seed, first_game, .. } = reader.about().origin else {
            return Err(Problem::OtherOrigin.of(file));
        };
        let mut number = first_game;
        while reader.read(&mut samples)? {
            visit((seed, number), &samples)?;
            number += 1;
        }
    }
    Ok(())
}
