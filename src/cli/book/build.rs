//! `manoury book build`: grows a book by search.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::threads::Threads;
use crate::cli::weights::WeightsArgument;
use crate::learn::book::{GrowthSettings, grow};

use super::effort::EffortArguments;
use super::games;
use super::keeper::{self, BookKeeper};
use super::searches;

/// Make a book by search
///
/// Repeatedly expands the cheapest position at the ends of the book: each ply with a choice of
/// moves costs 0.01 man, and each move costs what it loses against the best move. The book is saved
/// at the beginning, every minute and at the end. Ctrl-C interrupts the work, and the same command
/// continues it; positions can be added to a book at any time.
///
/// Expanding a position adds about seven new ones to search, one at a time on each core: with 0.1
/// seconds each, 10,000 expanded positions take an hour on two cores. The Hub parameter `book-file`
/// and `manoury dxp --book` play from the result. The engine moves at once where the book knows the
/// position. A Hub engine reports a book that is damaged or for another game, and plays without it;
/// `manoury dxp` ends with an error.
///
/// For example: manoury book build --out my.book --positions 1000 --time-per-position 0.1
/// --seed-pdn games.pdn --log my.log
///
/// The last line is `expanded=N positions=N score=S time=T`: expanded positions, all known
/// positions, the score of the start position for the side to move in men, seconds.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The book file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of expanded positions the book is to have
    #[arg(long, value_name = "N")]
    positions: usize,
    #[command(flatten)]
    effort: EffortArguments,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    weights: WeightsArgument,
    /// Begin with the games of a PDN file; may be given more than once
    #[arg(long, value_name = "FILE")]
    seed_pdn: Vec<PathBuf>,
    /// Number of plies of those games to use
    #[arg(long, value_name = "N", default_value_t = 16)]
    plies: usize,
    /// Choose N positions at a time and search them all before any is expanded: a book by nodes is
    /// then the same with any number of threads, and processes can share the searches, see `manoury
    /// book search --help` [default: one position at a time on each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    batch: Option<u32>,
    /// Logs of `manoury book search`: what they have is not searched again
    #[arg(long, value_name = "LOG", num_args = 1.., requires = "batch")]
    searches: Vec<PathBuf>,
    /// Append a line to this file whenever the book is saved: time, size, score and best line
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// Builds the book and prints a summary.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments {
        out, positions, effort, game, threads, weights, seed_pdn, plies, batch, ..
    } = arguments;
    let (start, variant, pool) = (Instant::now(), game.variant, threads.pool()?);
    let evaluation = weights.open(variant)?;
    let mut graph = keeper::open(variant, out)?;
    let games = games::read(variant, seed_pdn, *plies)?;
    let (effort, checksum) = (effort.effort(), evaluation.checksum());
    let known = searches::read(variant, checksum, effort, &arguments.searches)?;
    let settings = GrowthSettings {
        positions: *positions,
        effort,
        batch: batch.map(|batch| batch as usize),
        known,
    };
    let keeper = BookKeeper::new(variant, out, arguments.log.as_deref(), checksum, effort)?;
    let was_interrupted = keeper.during(&mut graph, *positions, |graph| {
        grow(graph, &games, &settings, &evaluation, &pool, &keeper);
    })?;
    keeper::conclude(&graph, start.elapsed(), was_interrupted)
}
