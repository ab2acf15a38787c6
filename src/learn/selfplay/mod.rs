//! Self-play: games of the engine against itself.
//!
//! Game number `n` depends only on the settings and on `n`, not on the number of threads or on
//! interruptions. Games are stored in order, in files of [`GAMES_PER_FILE`] games each.

mod player;

use std::fmt;
use std::fs;
use std::io;
use std::ops::{AddAssign, Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::{BroadcastContext, ThreadPool};

use crate::board::Side;
use crate::engine::Resources;
use crate::learn::data::{DataError, DataProblem, Origin, Sample, SampleReader, SampleWriter};
use crate::rules::Variant;
use crate::runtime::progress::Progress;

use player::SelfPlayer;

/// Settings for self-play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlaySettings {
    /// The number of games.
    pub games: u64,
    /// The soft node limit of a search: no new iteration starts after this many nodes. The current
    /// iteration is completed, so every score comes from a complete iteration.
    pub nodes: u64,
    /// The checksum of the engine's weights; `None` for the hand-crafted weights.
    pub weights: Option<u32>,
    /// Maximum number of pieces in the bitbases of a folder; `None` if only the embedded ones are
    /// used, so that games do not differ between machines.
    pub bitbase_pieces: Option<u32>,
    /// The number of random plies at the start of a game.
    pub random_plies: RangeInclusive<usize>,
    /// The maximum absolute score of an opening, in hundredths of a man.
    pub max_opening_score: i16,
    /// The random seed.
    pub seed: u64,
}

/// The number of games with each result, and the number of samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SampleTally {
    /// Games won by White.
    pub white: u64,
    /// Games drawn or without samples.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// The number of samples.
    pub positions: u64,
}

impl SampleTally {
    /// The tally of one game.
    pub fn of(samples: &[Sample]) -> Self {
        let mut tally = SampleTally { positions: samples.len() as u64, ..SampleTally::default() };
        match samples.first().and_then(|sample| sample.winner) {
            Some(Side::White) => tally.white = 1,
            Some(Side::Black) => tally.black = 1,
            None => tally.draws = 1,
        }
        tally
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.white + self.draws + self.black
    }
}

impl AddAssign for SampleTally {
    fn add_assign(&mut self, other: SampleTally) {
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.positions += other.positions;
    }
}

impl fmt::Display for SampleTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (SampleTally { white, draws, black, positions }, games) = (self, self.games());
        write!(f, "games={games} positions={positions} white={white} draws={draws} black={black}")
    }
}

/// The number of games in a file.
pub const GAMES_PER_FILE: u64 = 1000;

/// A file of games.
struct Shard {
    variant: Variant,
    path: PathBuf,
    origin: Origin,
    /// The numbers of the games in the file.
    games: Range<u64>,
}

impl Shard {
    fn new(variant: Variant, folder: &Path, settings: &SelfPlaySettings, number: u64) -> Self {
        let first_game = number * GAMES_PER_FILE;
        let SelfPlaySettings {
            seed, nodes, games, weights, bitbase_pieces, max_opening_score, ..
        } = *settings;
        let random_plies = [*settings.random_plies.start(), *settings.random_plies.end()];
        Shard {
            variant,
            path: folder.join(format!("{first_game:09}.games")),
            origin: Origin::SelfPlay {
                seed,
                nodes,
                weights,
                bitbase_pieces,
                random_plies,
                max_opening_score,
                first_game,
            },
            games: first_game..games.min(first_game + GAMES_PER_FILE),
        }
    }

    /// Opens the file for appending. Returns the writer and the number of the next game.
    fn open(&self) -> Result<(SampleWriter, u64), DataError> {
        let Shard { variant, ref path, ref origin, ref games } = *self;
        if !path.exists() {
            return Ok((SampleWriter::create(variant, path, origin.clone())?, games.start));
        }
        let (writer, count) = SampleWriter::resume(variant, path, origin.clone())?;
        Ok((writer, games.start + count))
    }

    /// Counts the games in the file.
    fn count_games(&self) -> Result<SampleTally, DataError> {
        let (mut tally, mut samples) = (SampleTally::default(), Vec::new());
        if self.path.exists() {
            let mut reader = SampleReader::open(self.variant, &self.path)?;
            while reader.read(&mut samples)? {
                tally += SampleTally::of(&samples);
            }
        }
        Ok(tally)
    }
}

/// The number of files needed for all games.
fn shards(settings: &SelfPlaySettings) -> u64 {
    settings.games.div_ceil(GAMES_PER_FILE)
}

/// Counts the games in a folder, up to the number in the settings.
///
/// # Errors
///
/// A file cannot be read or is damaged.
pub fn count_games(
    variant: Variant,
    folder: &Path,
    settings: &SelfPlaySettings,
) -> Result<SampleTally, DataError> {
    let mut all = SampleTally::default();
    for number in 0..shards(settings) {
        all += Shard::new(variant, folder, settings, number).count_games()?;
    }
    Ok(all)
}

/// Plays games with all threads of a pool until `folder` contains the number of games in the
/// settings. Each thread fills its own file. `resources` opens the engine resources for each thread.
/// Progress counts games; its detail counts samples. When stopped, games in progress are completed.
/// Returns the tally of the games played.
///
/// # Errors
///
/// A file cannot be read or written, is damaged, or contains games with different settings; or the
/// resources cannot be opened.
pub fn run(
    variant: Variant,
    folder: &Path,
    settings: &SelfPlaySettings,
    resources: &(impl Fn() -> io::Result<Resources> + Sync),
    pool: &ThreadPool,
    progress: &dyn Progress,
) -> Result<SampleTally, DataError> {
    fs::create_dir_all(folder).map_err(|error| DataProblem::Io(error).of(folder))?;
    let (next, has_failed) = (AtomicU64::new(0), AtomicBool::new(false));
    let work = |_: BroadcastContext| {
        let resources = resources().map_err(|error| DataProblem::Io(error).of(folder))?;
        let mut player = SelfPlayer::new(variant, settings, resources);
        let mut tally = SampleTally::default();
        while !progress.is_stopped() && !has_failed.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= shards(settings) {
                break;
            }
            let shard = Shard::new(variant, folder, settings, number);
            let filled = fill(&shard, &mut player, progress);
            tally += filled.inspect_err(|_| has_failed.store(true, Ordering::Relaxed))?;
        }
        Ok(tally)
    };
    pool.broadcast(work).into_iter().try_fold(SampleTally::default(), |mut all, tally| {
        all += tally?;
        Ok(all)
    })
}

/// Plays the games that are still missing from a file. Returns their tally.
fn fill(
    shard: &Shard,
    player: &mut SelfPlayer,
    progress: &dyn Progress,
) -> Result<SampleTally, DataError> {
    let mut tally = SampleTally::default();
    let (mut writer, next) = shard.open()?;
    for number in next..shard.games.end {
        if progress.is_stopped() {
            break;
        }
        let samples = player.play(number);
        writer.append(&samples)?;
        tally += SampleTally::of(&samples);
        progress.advance(1);
        progress.add_detail(samples.len() as u64);
    }
    Ok(tally)
}
