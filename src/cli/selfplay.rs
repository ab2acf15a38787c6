//! `manoury selfplay`: plays games to learn from.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use clap::Args;

use crate::arena::openings::MAX_RANDOM_PLIES;
use crate::learn::selfplay::{self, SampleTally, SelfPlaySettings, SelfPlayWatch};
use crate::runtime::interrupt::Interrupt;

use super::Error;
use super::args::{ThreadsArgument, VariantArgument, WeightsArgument, parse_range};
use super::data::data_failed;
use super::progress::Bar;

/// Play games of the engine against itself, to learn from
///
/// Half of the stored positions are not from the games but follow random moves that leave them.
/// Each game depends only on its number, the nodes, the weights, the random plies and the seed. The
/// games are stored in files of 1,000. Ctrl-C stops after the games that are being played, and the
/// same command continues; games can be added to a folder at any time.
///
/// The last line is `games=N positions=N white=N draws=N black=N time=S`: games, stored positions,
/// results, seconds.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Folder for the files
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Number of games that the folder is to have
    #[arg(long, value_name = "N")]
    games: u64,
    /// Nodes after which a search begins no further iteration
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    game: VariantArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Random seed of the openings and of the random moves
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    weights: WeightsArgument,
    /// Minimum and maximum number of random plies at the start of a game
    #[arg(long, value_name = "A..B", default_value = "6..12", value_parser = plies)]
    random_plies: RangeInclusive<usize>,
}

/// Plays the games that are missing, and prints a tally.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { out, games, nodes, threads, seed, random_plies, .. } = arguments;
    let variant = arguments.game.variant;
    let evaluation = arguments.weights.open(variant)?;
    let settings = SelfPlaySettings {
        games: *games,
        nodes: *nodes,
        random_plies: random_plies.clone(),
        seed: *seed,
        weights: evaluation.checksum(),
    };
    let (start, pool) = (Instant::now(), threads.pool()?);
    let stored = selfplay::stored(variant, out, &settings).map_err(data_failed)?;
    let counter = GameCounter::new(stored)?;
    counter
        .show(*games, || selfplay::run(variant, out, &settings, &evaluation, &pool, &counter))
        .map_err(data_failed)?;
    let tally = counter.tally();
    writeln!(io::stdout().lock(), "{tally} time={:.1}", start.elapsed().as_secs_f64())?;
    match tally.games() < *games {
        true => Err(Error::No("interrupted; the same command resumes it".to_owned())),
        false => Ok(()),
    }
}

/// Parses a range of plies, including both ends: `6..12`.
fn plies(text: &str) -> Result<RangeInclusive<usize>, String> {
    let range = parse_range::<usize>(text, "6..12")?;
    if *range.end() > MAX_RANDOM_PLIES {
        return Err(format!("at most {MAX_RANDOM_PLIES} random plies"));
    }
    Ok(range)
}

/// Counts games.
struct GameCounter {
    /// All games in the folder.
    tally: Mutex<SampleTally>,
    interrupt: Interrupt,
}

impl SelfPlayWatch for GameCounter {
    fn see(&self, game: SampleTally) {
        *self.lock() += game;
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}

impl GameCounter {
    /// Starts with the games that are stored already. Ctrl-C will stop the work.
    fn new(stored: SampleTally) -> Result<Self, Error> {
        Ok(GameCounter { tally: Mutex::new(stored), interrupt: Interrupt::on_ctrl_c()? })
    }

    fn lock(&self) -> MutexGuard<'_, SampleTally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tally(&self) -> SampleTally {
        *self.lock()
    }

    /// Works on another thread while this one shows the progress.
    fn show<T: Send>(&self, games: u64, work: impl FnOnce() -> T + Send) -> T {
        let (before, start) = (self.tally(), Instant::now());
        let look = |bar: &Bar| {
            let tally = self.tally();
            let new = tally.positions - before.positions;
            let rate = new as f64 / start.elapsed().as_secs_f64();
            bar.set(tally.games(), format!("{rate:.0} positions/s"));
        };
        Bar::new(games, before.games(), "games").during(work, look)
    }
}
