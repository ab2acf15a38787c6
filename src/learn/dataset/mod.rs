//! Data sets: the deduplicated samples of many games in random order, with some games held out for
//! validation.
//!
//! Samples are distributed among shards by the keys of their positions. Equal positions fall into
//! the same shard, so each shard is deduplicated and shuffled separately. Keys behave like random
//! numbers, so the concatenated shards are a random order of all samples. Only a few shards need to
//! be in memory at a time.

mod games;
mod returns;
mod shards;

pub use games::{GameInfo, GameStatistics, each_game, files};

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use tempfile::TempDir;

use crate::erased::Position;
use crate::learn::data::{DataError, DataProblem, Sample, Source, Split};
use crate::rules::Variant;
use crate::runtime::progress::Progress;

use games::GameSources;
use returns::look_ahead;
use shards::{ShardWriter, shuffle};

/// Settings for making a data set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DatasetSettings {
    /// The random seed for the order and for the choice of validation games.
    pub seed: u64,
    /// The share of the games for validation, 0 to 1.
    pub validation: f64,
    /// Of the samples with at most a third of the pieces at the start of a game, the percentage to
    /// keep, chosen at random. Games have long endings, so without this limit most samples would be
    /// of this kind.
    pub late_percent: u8,
    /// The weight of the rest of a game in the score of a position, for a distance of one ply, in
    /// percent: λ of the λ-return. 0 keeps the scores.
    pub lambda_percent: u8,
}

/// Maximum mean number of samples per shard, unless that would require more than `MAX_SHARDS`
/// shards.
const SHARD_SIZE: u64 = 1 << 19;
/// Maximum number of shards; each keeps two files open.
const MAX_SHARDS: u64 = 200;

/// A summary of a new data set.
#[derive(Clone, PartialEq, Debug)]
pub struct DatasetSummary {
    /// Statistics of the games.
    pub statistics: GameStatistics,
    /// The number of distinct positions for training.
    pub training: u64,
    /// The number of distinct positions for validation.
    pub validation: u64,
    /// The number of late positions left out.
    pub late: u64,
}

/// Makes a data set from the games in the given files, on rayon's threads. The data set is created
/// atomically as `folder`, which must be empty or missing.
///
/// # Errors
///
/// A file cannot be read or written or is damaged, the folder is not empty, or `progress` is
/// stopped.
pub fn make(
    variant: Variant,
    files: &[PathBuf],
    folder: &Path,
    settings: DatasetSettings,
    progress: &dyn Progress,
) -> Result<DatasetSummary, DataError> {
    let failed = |error| DataProblem::Io(error).of(folder);
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(DataProblem::NotEmpty.of(folder));
    }
    let work = folder_beside(folder).map_err(failed)?;
    let shards = positions(variant, files)?.div_ceil(SHARD_SIZE);
    let shards = shards.clamp(1, MAX_SHARDS) as usize;
    let raw = work.path().join("raw");
    fs::create_dir(&raw).map_err(failed)?;
    let (statistics, sources, late) = deal(variant, files, &raw, shards, settings, progress)?;
    let shuffled: Vec<_> = (0..shards)
        .into_par_iter()
        .map(|number| match progress.is_stopped() {
            true => Err(DataProblem::Stopped.of(folder)),
            false => shuffle(variant, &raw, work.path(), number, settings, &sources),
        })
        .collect::<Result<_, _>>()?;
    fs::remove_dir_all(&raw).and_then(|()| publish(work, folder)).map_err(failed)?;
    let sum = |set: usize| shuffled.iter().map(|counts| counts[set]).sum();
    Ok(DatasetSummary { statistics, training: sum(0), validation: sum(1), late })
}

/// Creates a temporary folder next to `folder`, to be renamed to `folder` later.
fn folder_beside(folder: &Path) -> io::Result<TempDir> {
    let beside = folder.parent().filter(|beside| !beside.as_os_str().is_empty());
    let beside = beside.unwrap_or(Path::new("."));
    fs::create_dir_all(beside)?;
    folder_builder().tempdir_in(beside)
}

/// A builder of temporary folders that other users can read, subject to the umask.
#[cfg(unix)]
fn folder_builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    builder
}

/// A builder of temporary folders.
#[cfg(not(unix))]
fn folder_builder() -> tempfile::Builder<'static, 'static> {
    tempfile::Builder::new()
}

/// Renames the finished temporary folder to its final name.
fn publish(work: TempDir, folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir(folder)?;
    }
    fs::rename(work.path(), folder)?;
    // Keeps `TempDir` from deleting the old path.
    let _ = work.keep();
    Ok(())
}

/// Estimates the number of samples in the given files from their sizes.
///
/// # Errors
///
/// A file is missing.
pub fn positions(variant: Variant, files: &[PathBuf]) -> Result<u64, DataError> {
    let size = |file: &PathBuf| match fs::metadata(file) {
        Ok(data) => Ok(data.len()),
        Err(error) => Err(DataProblem::Io(error).of(file)),
    };
    let bytes: u64 = files.iter().map(size).sum::<Result<_, _>>()?;
    Ok(bytes / Sample::bytes(variant.grid()) as u64)
}

/// Distributes the samples of all games among the training and validation shards. Returns the
/// statistics and sources of the games, and the number of late positions left out.
fn deal(
    variant: Variant,
    files: &[PathBuf],
    folder: &Path,
    shards: usize,
    settings: DatasetSettings,
    progress: &dyn Progress,
) -> Result<(GameStatistics, Vec<Source>, u64), DataError> {
    let DatasetSettings { seed, validation, late_percent, lambda_percent } = settings;
    let writer = |set| ShardWriter::new(variant, folder, settings, set, shards);
    let late = Position::start(variant).occupied().len() / 3;
    let mut left_out = 0;
    let [mut training, mut held_out] = [writer(Split::Training)?, writer(Split::Validation)?];
    let mut statistics = GameStatistics::default();
    let mut sources = GameSources::default();
    each_game(variant, files, |game_info, game| {
        if progress.is_stopped() {
            return Err(DataProblem::Stopped.of(folder));
        }
        statistics.add(variant, game);
        sources.add(game_info);
        progress.advance(game.len() as u64);
        let mut random = split_rng(seed, game_info);
        let is_held_out = random.random_bool(validation.clamp(0.0, 1.0));
        let writer = if is_held_out { &mut held_out } else { &mut training };
        let mut is_kept = |sample: &Sample| {
            late_percent >= 100
                || sample.pieces() > late
                || random.random_range(0..100) < late_percent
        };
        let mut kept = game.to_vec();
        look_ahead(&mut kept, f64::from(lambda_percent) / 100.0);
        kept.retain(&mut is_kept);
        left_out += (game.len() - kept.len()) as u64;
        kept.into_iter().try_for_each(|sample| writer.add(sample))
    })?;
    training.finish()?;
    held_out.finish()?;
    Ok((statistics, sources.list(), left_out))
}

/// The random number generator that decides whether a game is held out for validation.
fn split_rng(seed: u64, game: GameInfo<'_>) -> Xoshiro256PlusPlus {
    /// 2^64 divided by the golden ratio, rounded down to an odd number. Gives consecutive games
    /// unrelated seeds.
    const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;
    let name = game.seed.rotate_left(32) ^ game.number.wrapping_mul(STRIDE);
    Xoshiro256PlusPlus::seed_from_u64(seed ^ name)
}
