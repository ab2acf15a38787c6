//! `manoury book import`: adds the openings of games to a book.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::threads::Threads;
use crate::cli::weights::WeightsArgument;
use crate::learn::book::{GrowthSettings, KnownSearches, add_games};
use crate::position::Key;

use super::effort::EffortArguments;
use super::games;
use super::keeper::{self, BookKeeper};

/// Add the openings of games to a book
///
/// The positions of the games are expanded as `manoury book build` does: the moves played and all
/// others are searched. Ctrl-C interrupts the work, and the same command continues it.
///
/// The last line is that of `manoury book build`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// PDN files
    #[arg(value_name = "PDN", required = true)]
    files: Vec<PathBuf>,
    /// The book file, new or to be extended
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    effort: EffortArguments,
    /// Number of plies of the games to use
    #[arg(long, value_name = "N", default_value_t = 16)]
    plies: usize,
    /// Number of games that must reach a position for it to be added
    #[arg(long, value_name = "N", default_value_t = 1)]
    least: usize,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    weights: WeightsArgument,
}

/// Imports the games and prints a summary.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { files, out, effort, plies, least, game, threads, weights } = arguments;
    let (start, variant, pool) = (Instant::now(), game.variant, threads.pool()?);
    let evaluation = weights.open(variant)?;
    let mut graph = keeper::open(variant, out)?;
    let all = games::read(variant, files, *plies)?;
    if all.is_empty() {
        return Err(Error::Input(format!("there is no game of {variant} in the files")));
    }
    let games = games::frequent(&all, *least);
    let positions = games.iter().flat_map(|game| game.positions());
    let keys: HashSet<Key> = positions.map(|position| position.key()).collect();
    let (effort, known) = (effort.effort(), KnownSearches::default());
    let settings = GrowthSettings { positions: usize::MAX, effort, batch: None, known };
    let keeper = BookKeeper::new(variant, out, None, evaluation.checksum(), settings.effort)?;
    let wanted = graph.expanded() + keys.len();
    let was_interrupted = keeper.during(&mut graph, wanted, |graph| {
        add_games(graph, &games, &settings, &evaluation, &pool, &keeper);
    })?;
    keeper::conclude(&graph, start.elapsed(), was_interrupted)
}
