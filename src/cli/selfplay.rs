//! `manoury selfplay`: games to learn from.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use clap::Args;

use crate::arena::interrupt::Interrupt;
use crate::arena::openings::MOST_RANDOM_PLIES;
use crate::learn::selfplay::{self, Settings, Tally, Watch};
use crate::rules::{Rules, VariantVisitor};

use super::Error;
use super::data::data_failed;
use super::game::GameArgument;
use super::interrupt::on_ctrl_c;
use super::progress::Bar;
use super::threads::Threads;
use super::weights::WeightsArgument;

/// Play games of the engine against itself, to learn from
///
/// Half of the positions are beside the games, after moves drawn by lot. Each game depends on its number,
/// the nodes, the weights, the random plies and the seed alone. They are in files of 1,000. Ctrl-C ends it
/// after the games that are being played, and the same command goes on; more games can be added to a folder
/// any time.
///
/// The last line is `games=N positions=N white=N draws=N black=N time=S`: games, stored positions, how
/// the games have ended, seconds.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The folder for the files
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How many games the folder is to have
    #[arg(long, value_name = "N")]
    games: u64,
    /// Nodes after which no further iteration of a search begins
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    threads: Threads,
    /// What the openings and the moves that are not the best ones are drawn by
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    weights: WeightsArgument,
    /// How many random plies a game begins with, at least and at most
    #[arg(long, value_name = "A..B", default_value = "6..12", value_parser = plies)]
    random_plies: RangeInclusive<usize>,
}

/// Plays and prints how much.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.game.variant.visit(Playing(arguments))
}

/// A range of plies: `6..12`, both ends included.
fn plies(text: &str) -> Result<RangeInclusive<usize>, String> {
    let plies = || {
        let (least, most) = text.split_once("..")?;
        Some(least.parse().ok()?..=most.parse().ok()?)
    };
    let range = plies().ok_or("two numbers are wanted, as 6..12")?;
    if range.is_empty() {
        return Err("the second number must not be less than the first".to_owned());
    }
    if *range.end() > MOST_RANDOM_PLIES {
        return Err(format!("at most {MOST_RANDOM_PLIES} random plies"));
    }
    Ok(range)
}

struct Playing<'a>(&'a Arguments);

impl VariantVisitor for Playing<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Arguments { out, games, nodes, threads, seed, random_plies, weights, .. } = self.0;
        let evaluation = weights.open::<R>()?;
        let settings = Settings {
            games: *games,
            nodes: *nodes,
            random_plies: random_plies.clone(),
            seed: *seed,
            weights: evaluation.checksum(),
        };
        let (start, pool) = (Instant::now(), threads.pool()?);
        let counter = Counter::new(selfplay::stored::<R>(out, &settings).map_err(data_failed)?)?;
        counter
            .show(*games, || selfplay::run(out, &settings, &evaluation, &pool, &counter))
            .map_err(data_failed)?;
        let tally = counter.tally();
        writeln!(io::stdout().lock(), "{tally} time={:.1}", start.elapsed().as_secs_f64())?;
        match tally.games() < *games {
            true => Err(Error::No("interrupted; the same command goes on from here".to_owned())),
            false => Ok(()),
        }
    }
}

/// Counts games.
struct Counter {
    /// All that are stored.
    tally: Mutex<Tally>,
    interrupt: Interrupt,
}

impl Watch for Counter {
    fn see(&self, game: Tally) {
        *self.lock() += game;
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}

impl Counter {
    /// Goes on from what was played before; Ctrl-C will end the work.
    fn new(before: Tally) -> Result<Self, Error> {
        Ok(Counter { tally: Mutex::new(before), interrupt: on_ctrl_c()? })
    }

    fn lock(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tally(&self) -> Tally {
        *self.lock()
    }

    /// Works, while this thread shows how far it is.
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
