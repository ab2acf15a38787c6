//! Reading the games of many files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::learn::data::{DataError, DataProblem, Origin, Sample, SampleReader};
use crate::rules::Variant;

/// What is known of a game besides its samples.
#[derive(Clone, Copy, Debug)]
pub struct GameAbout<'a> {
    /// The origin of its file.
    pub origin: &'a Origin,
    /// The seed of its file.
    pub seed: u64,
    /// Its number among the games of the seed.
    pub number: u64,
}

/// The files of games in some folders: in the order of the folders, sorted by name within each.
///
/// # Errors
///
/// A folder cannot be read, or contains no such file.
pub fn files(folders: &[PathBuf]) -> Result<Vec<PathBuf>, DataError> {
    let mut all = Vec::new();
    for folder in folders {
        let mut files = games_in(folder).map_err(|error| DataProblem::Io(error).of(folder))?;
        if files.is_empty() {
            return Err(DataProblem::Empty.of(folder));
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

/// Calls `visit` with the samples of each game of some files, until it fails.
///
/// # Errors
///
/// A file cannot be read, is damaged or contains no games; any error of `visit`.
pub fn each_game(
    variant: Variant,
    files: &[PathBuf],
    mut visit: impl FnMut(GameAbout<'_>, &[Sample]) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let mut samples = Vec::new();
    for file in files {
        let mut reader = SampleReader::open(variant, file)?;
        let origin = reader.about().origin.clone();
        let Some((seed, mut number)) = origin.games() else {
            return Err(DataProblem::OtherOrigin.of(file));
        };
        while reader.read(&mut samples)? {
            visit(GameAbout { origin: &origin, seed, number }, &samples)?;
            number += 1;
        }
    }
    Ok(())
}
