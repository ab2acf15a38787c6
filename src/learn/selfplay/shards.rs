//! Files of games, and the threads that fill them.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::{BroadcastContext, ThreadPool};

use crate::eval::Evaluation;
use crate::learn::data::{About, DataError, Origin, Problem, Reader, Writer};
use crate::rules::Rules;

use super::player::Player;
use super::{Settings, Tally, Watch};

/// Games in a file.
pub const SHARD: u64 = 1000;

/// The games of a file.
struct Shard {
    path: PathBuf,
    about: About,
    games: Range<u64>,
}

impl Shard {
    fn new<R: Rules>(folder: &Path, settings: &Settings, number: u64) -> Self {
        let first_game = number * SHARD;
        let Settings { seed, nodes, games, weights, ref random_plies } = *settings;
        let random_plies = [*random_plies.start(), *random_plies.end()];
        let origin = Origin::SelfPlay { seed, nodes, weights, random_plies, first_game };
        Shard {
            path: folder.join(format!("{first_game:09}.games")),
            about: About::new(R::VARIANT.name(), origin),
            games: first_game..games.min(first_game + SHARD),
        }
    }

    /// The file, to go on with, and the number of the next game.
    fn open<R: Rules>(&self) -> Result<(Writer, u64), DataError> {
        if !self.path.exists() {
            return Ok((Writer::create(&self.path, &self.about)?, self.games.start));
        }
        let (writer, games) = Writer::resume::<R>(&self.path, &self.about)?;
        Ok((writer, self.games.start + games))
    }

    /// What is in the file.
    fn stored<R: Rules>(&self) -> Result<Tally, DataError> {
        let (mut tally, mut samples) = (Tally::default(), Vec::new());
        if self.path.exists() {
            let mut reader = Reader::<R>::open(&self.path)?;
            while reader.read(&mut samples)? {
                tally += Tally::of(&samples);
            }
        }
        Ok(tally)
    }
}

/// The files of so many games.
fn shards(settings: &Settings) -> u64 {
    settings.games.div_ceil(SHARD)
}

/// The games that a folder has of those that the settings want.
///
/// # Errors
///
/// A file cannot be read or is damaged.
pub fn stored<R: Rules>(folder: &Path, settings: &Settings) -> Result<Tally, DataError> {
    let mut all = Tally::default();
    for number in 0..shards(settings) {
        all += Shard::new::<R>(folder, settings, number).stored::<R>()?;
    }
    Ok(all)
}

/// Plays games until there are as many in a folder as the settings want, with all threads of a pool,
/// each at a file of its own.
///
/// # Errors
///
/// A file cannot be read or written, is damaged, or holds games by other settings.
pub fn run<R: Rules>(
    folder: &Path,
    settings: &Settings,
    evaluation: &Evaluation<R>,
    pool: &ThreadPool,
    watch: &impl Watch,
) -> Result<(), DataError> {
    fs::create_dir_all(folder)
        .map_err(|error| DataError { path: folder.to_owned(), problem: Problem::Io(error) })?;
    let next = AtomicU64::new(0);
    let work = |_: BroadcastContext| {
        let mut player = Player::new(settings, evaluation.clone());
        while !watch.is_stopped() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= shards(settings) {
                break;
            }
            fill(&Shard::new::<R>(folder, settings, number), &mut player, watch)?;
        }
        Ok(())
    };
    pool.broadcast(work).into_iter().collect()
}

/// Plays the games of a file that are not in it.
fn fill<R: Rules>(
    shard: &Shard,
    player: &mut Player<R>,
    watch: &impl Watch,
) -> Result<(), DataError> {
    let (mut writer, next) = shard.open::<R>()?;
    for number in next..shard.games.end {
        if watch.is_stopped() {
            break;
        }
        let samples = player.play(number);
        writer.append(&samples)?;
        watch.see(Tally::of(&samples));
    }
    Ok(())
}
