//! Iteration over the games in files, with their statistics and origins.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::board::Side;
use crate::erased::Position;
use crate::learn::correlation::ResultCorrelations;
use crate::learn::data::{DataError, DataProblem, Origin, Sample, SampleReader, Source};
use crate::rules::Variant;

/// The origin of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo<'a> {
    /// The origin of the game's file.
    pub origin: &'a Origin,
    /// The seed of the game's file.
    pub seed: u64,
    /// The number of the game among all games with this seed.
    pub number: u64,
}

/// The game files in the given folders, in the order of the folders and sorted by name within each.
///
/// # Errors
///
/// A folder cannot be read, or contains no game file.
pub fn files(folders: &[PathBuf]) -> Result<Vec<PathBuf>, DataError> {
    let mut all = Vec::new();
    for folder in folders {
        let mut files = games_in(folder).map_err(|error| DataProblem::Io(error).of(folder))?;
        if files.is_empty() {
            return Err(DataProblem::NoGames.of(folder));
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

/// Calls `visit` with the samples of each game in the given files, until it returns an error.
///
/// # Errors
///
/// A file cannot be read, is damaged or contains no games, or `visit` returns an error.
pub fn each_game(
    variant: Variant,
    files: &[PathBuf],
    mut visit: impl FnMut(GameInfo<'_>, &[Sample]) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let mut samples = Vec::new();
    for file in files {
        let mut reader = SampleReader::open(variant, file)?;
        let origin = reader.about().origin.clone();
        let Some((seed, mut number)) = origin.games() else {
            return Err(DataProblem::NotGames.of(file));
        };
        while reader.read(&mut samples)? {
            visit(GameInfo { origin: &origin, seed, number }, &samples)?;
            number += 1;
        }
    }
    Ok(())
}

/// Counts of games and their samples.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct GameStatistics {
    /// The number of games.
    pub games: u64,
    /// Games won by White.
    pub white: u64,
    /// Games drawn or without samples.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// The number of samples.
    pub positions: u64,
    /// The number of positions in which the opponent threatens to capture.
    pub threatened: u64,
    /// The number of positions with a proven win or loss.
    pub decisive: u64,
    /// The number of positions, by number of pieces.
    pub pieces: BTreeMap<usize, u64>,
    /// The mean absolute score of the positions without a proven result, in men.
    pub mean_score: f64,
    /// The correlation of the scores with the results of the games, excluding digressions and
    /// proven results.
    #[serde(skip)]
    pub correlations: ResultCorrelations,
}

impl GameStatistics {
    /// Adds a game.
    pub fn add(&mut self, variant: Variant, game: &[Sample]) {
        self.games += 1;
        match game.first().and_then(|sample| sample.winner) {
            Some(Side::White) => self.white += 1,
            Some(Side::Black) => self.black += 1,
            None => self.draws += 1,
        }
        for sample in game {
            self.add_sample(variant, sample);
        }
    }

    fn add_sample(&mut self, variant: Variant, sample: &Sample) {
        self.positions += 1;
        *self.pieces.entry(sample.pieces()).or_default() += 1;
        let position = Position::from_setup(variant, &sample.setup);
        self.threatened += u64::from(position.is_ok_and(|position| position.is_threatened()));
        if sample.score.is_decisive() {
            self.decisive += 1;
        } else {
            let distance = f64::from(sample.score.0.abs()) / 100.0;
            self.mean_score +=
                (distance - self.mean_score) / (self.positions - self.decisive) as f64;
            self.correlations.add_sample(sample);
        }
    }
}

/// The source games of a data set, recorded so that the data set can be reproduced.
#[derive(Default)]
pub(super) struct GameSources {
    list: Vec<Source>,
    /// The origin of the current file, and the number of its games added so far.
    file: Option<(Origin, u64)>,
}

impl GameSources {
    /// Adds a game.
    pub(super) fn add(&mut self, game: GameInfo<'_>) {
        match (&mut self.file, self.list.last_mut()) {
            (Some((origin, games)), Some(source)) if origin == game.origin => {
                *games += 1;
                source.games += 1;
            }
            (Some((origin, games)), Some(source)) if origin.next(*games) == *game.origin => {
                source.games += 1;
                self.file = Some((game.origin.clone(), 1));
            }
            _ => {
                self.list.push(Source { games: 1, origin: game.origin.clone() });
                self.file = Some((game.origin.clone(), 1));
            }
        }
    }

    /// The sources, one per folder of games.
    pub(super) fn list(self) -> Vec<Source> {
        self.list
    }
}
