//! `manoury selfplay`: generates training games by self-play.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::arena::openings::MAX_RANDOM_PLIES;
use crate::engine::Resources;
use crate::learn::selfplay::{self, SelfPlaySettings};
use crate::runtime::interrupt::Interrupt;
use crate::runtime::progress::ProgressCounter;

use super::Error;
use super::args::{SeedArgument, ThreadsArgument, VariantArgument, WeightsArgument, parse_range};
use super::data::data_failed;
use super::error::number;
use super::progress::ProgressBar;

/// Generate training games by self-play
///
/// Half of the stored positions do not occur in the games but are reached from them by random
/// moves. A game ends by the rules, as soon as bitbases determine its result, when a search proves a
/// win, when one side is at least 6 men ahead for 6 searches in a row (a win), or after 240 plies (a
/// draw). Each game depends only on its number, the nodes, the weights, the bitbases, the openings
/// and the seed. The games are stored in files of 1,000. Ctrl-C stops the run once the games in
/// progress have finished; the same command resumes it. Games can be added to a folder at any time.
///
/// The last line is `games=N positions=N white=N draws=N black=N time=S`: games, stored positions,
/// results, seconds.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    /// Folder for the files
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Total number of games in the folder
    #[arg(long, value_name = "N")]
    games: u64,
    /// Nodes per search; no new iteration starts after this many
    #[arg(long, value_name = "K", value_parser = number::<u64>(1..))]
    nodes: u64,
    #[command(flatten)]
    game: VariantArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    seed: SeedArgument,
    #[command(flatten)]
    weights: WeightsArgument,
    /// Folder of bitbases, with a subfolder for each variant [default: only the built-in bitbases]
    #[arg(long, value_name = "DIR")]
    bitbases: Option<PathBuf>,
    /// Minimum and maximum number of random plies at the start of a game
    #[arg(long, value_name = "A..B", default_value = "6..12", allow_hyphen_values = true, value_parser = plies)]
    random_plies: RangeInclusive<usize>,
    /// Maximum absolute score of the position after the random plies, in hundredths of a man
    #[arg(long, value_name = "S", default_value_t = 100, value_parser = number::<i16>(0..=10_000))]
    max_opening_score: i16,
}

/// The examples at the end of the help.
const EXAMPLES: &str = "Examples:
  manoury selfplay --out games --games 100 --nodes 50";

/// Plays the games that are missing from the folder, and prints the results.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { out, games, nodes, threads, seed, random_plies, bitbases, .. } = arguments;
    let variant = arguments.game.variant;
    let evaluation = arguments.weights.open(variant)?;
    let open = || Resources::with_bitbases(variant, bitbases.as_deref(), evaluation.clone());
    let pieces = open()?.bitbases.pieces() as u32;
    let settings = SelfPlaySettings {
        games: *games,
        nodes: *nodes,
        random_plies: random_plies.clone(),
        max_opening_score: arguments.max_opening_score,
        seed: seed.seed,
        weights: evaluation.checksum(),
        bitbase_pieces: bitbases.as_ref().map(|_| pieces),
    };
    let resources = || open().map_err(io::Error::other);
    let (start, pool) = (Instant::now(), threads.pool()?);
    let mut tally = selfplay::count_games(variant, out, &settings).map_err(data_failed)?;
    let counter = ProgressCounter::new(*games, tally.games(), Interrupt::on_ctrl_c()?);
    tally += ProgressBar::of(counter, 1, "games")
        .during(
            |progress| selfplay::run(variant, out, &settings, &resources, &pool, progress),
            |counter| format!("{:.0} positions/s", counter.detail_rate()),
        )
        .map_err(data_failed)?;
    writeln!(io::stdout().lock(), "{tally} time={:.1}", start.elapsed().as_secs_f64())?;
    match tally.games() < *games {
        true => Err(Error::interrupted(true)),
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
