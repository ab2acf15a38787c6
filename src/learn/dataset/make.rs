//! Making sets.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use tempfile::TempDir;

use crate::learn::data::{DataError, Problem, Sample, Set};
use crate::rules::Rules;

use super::deal::Dealer;
use super::games::each_game;
use super::shuffle::shuffle;
use super::{Settings, Statistics, Watch};

/// Positions that a bucket should have at most, on average.
const BUCKET: u64 = 1 << 19;
/// The most buckets: each is two open files.
const MOST_BUCKETS: u64 = 200;

/// What has been made.
#[derive(Clone, PartialEq, Debug)]
pub struct Made {
    /// What was in the games.
    pub statistics: Statistics,
    /// Different positions to learn from.
    pub training: u64,
    /// Different positions for validation.
    pub validation: u64,
}

/// Makes sets of the games of some files and puts them into a folder that was empty or not there, with
/// rayon's threads. It is there as a whole or not at all.
///
/// # Errors
///
/// A file cannot be read or written or is damaged, or the folder has something in it.
pub fn make<R: Rules>(
    files: &[PathBuf],
    folder: &Path,
    settings: Settings,
    watch: &impl Watch,
) -> Result<Made, DataError> {
    let failed = |error| Problem::Io(error).of(folder);
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(Problem::NotEmpty.of(folder));
    }
    let (work, buckets) =
        (workshop(folder).map_err(failed)?, positions::<R>(files)?.div_ceil(BUCKET));
    let buckets = buckets.clamp(1, MOST_BUCKETS) as usize;
    let raw = work.path().join("raw");
    fs::create_dir(&raw).map_err(failed)?;
    let statistics = deal::<R>(files, &raw, buckets, settings, watch)?;
    let shuffled: Vec<_> = (0..buckets)
        .into_par_iter()
        .map(|number| match watch.is_stopped() {
            true => Err(Problem::Stopped.of(folder)),
            false => shuffle::<R>(&raw, work.path(), number, settings.seed),
        })
        .collect::<Result<_, _>>()?;
    fs::remove_dir_all(&raw).and_then(|()| publish(work, folder)).map_err(failed)?;
    let sum = |set: usize| shuffled.iter().map(|counts| counts[set]).sum();
    Ok(Made { statistics, training: sum(0), validation: sum(1) })
}

/// A folder beside the one that is wanted.
fn workshop(folder: &Path) -> io::Result<TempDir> {
    let beside = folder.parent().filter(|beside| !beside.as_os_str().is_empty());
    let beside = beside.unwrap_or(Path::new("."));
    fs::create_dir_all(beside)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    builder.tempdir_in(beside)
}

/// Puts a folder that is complete into its place.
fn publish(work: TempDir, folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir(folder)?;
    }
    fs::rename(work.path(), folder)?;
    // It is no temporary folder any more.
    let _ = work.keep();
    Ok(())
}

/// About how many positions some files have, by their sizes.
///
/// # Errors
///
/// A file is not there.
pub fn positions<R: Rules>(files: &[PathBuf]) -> Result<u64, DataError> {
    let size = |file: &PathBuf| match fs::metadata(file) {
        Ok(data) => Ok(data.len()),
        Err(error) => Err(Problem::Io(error).of(file)),
    };
    let bytes: u64 = files.iter().map(size).sum::<Result<_, _>>()?;
    Ok(bytes / Sample::<R::Geometry>::BYTES as u64)
}

/// Deals the positions of all games into buckets of both sets.
fn deal<R: Rules>(
    files: &[PathBuf],
    folder: &Path,
    buckets: usize,
    settings: Settings,
    watch: &impl Watch,
) -> Result<Statistics, DataError> {
    let Settings { seed, validation } = settings;
    let dealer = |set| Dealer::<R>::new(folder, seed, set, buckets);
    let [mut training, mut test] = [dealer(Set::Training)?, dealer(Set::Validation)?];
    let mut statistics = Statistics::default();
    each_game::<R>(files, |(games, number), game| {
        if watch.is_stopped() {
            return Err(Problem::Stopped.of(folder));
        }
        statistics.add::<R>(game);
        watch.advance(game.len() as u64);
        let is_test = drawn(seed, games, number).random_bool(validation.clamp(0.0, 1.0));
        let dealer = if is_test { &mut test } else { &mut training };
        game.iter().try_for_each(|&sample| dealer.deal(sample))
    })?;
    training.finish()?;
    test.finish()?;
    Ok(statistics)
}

/// What decides about a game.
fn drawn(seed: u64, games: u64, number: u64) -> Xoshiro256PlusPlus {
    /// The golden ratio, odd: games of one file are drawn apart.
    const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;
    let name = games.rotate_left(32) ^ number.wrapping_mul(STRIDE);
    Xoshiro256PlusPlus::seed_from_u64(seed ^ name)
}
