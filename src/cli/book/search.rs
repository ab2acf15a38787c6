//! `manoury book search`: searches what a book will need next.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::part::Part;
use crate::cli::progress::Bar;
use crate::cli::weights::WeightsArgument;
use crate::learn::book::{PositionSearcher, take_batch};

use super::effort::EffortArguments;
use super::keeper;
use super::searches::SearchLog;

/// Search for the next batch of a book, so that several processes or machines can share the work
///
/// The results go to a log, from which `manoury book build --batch --searches` takes them; by nodes
/// it is the same book as without. Ctrl-C interrupts the work, and the same command continues it.
///
/// For example, as two processes: manoury book search --book my.book --batch 100 --part 1/2
/// --log 1.log --nodes-per-position 100000, and with --part 2/2 --log 2.log. Then: manoury book build
/// --out my.book --batch 100 --positions 1100 --searches 1.log 2.log --nodes-per-position 100000.
///
/// The last line is `searches=N time=T`: positions to expand in the log, seconds.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The book file; if it is missing, the book has only the start position
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Number of positions, as for `manoury book build`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    #[command(flatten)]
    effort: EffortArguments,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    weights: WeightsArgument,
    /// Only part I of N parts of the searches
    #[arg(long, value_name = "I/N")]
    part: Option<Part>,
    /// The log of the results
    #[arg(long, value_name = "FILE")]
    log: PathBuf,
}

/// Makes the searches that the log lacks, and prints a summary.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { book, effort, game, weights, part, log, .. } = arguments;
    let (start, variant, effort) = (Instant::now(), game.variant, effort.effort());
    let evaluation = weights.open(variant)?;
    let (mut graph, batch) = (keeper::open(variant, book)?, arguments.batch as usize);
    let mut searches = take_batch(&mut graph, batch, usize::MAX);
    searches.retain(|search| !search.unknown.is_empty());
    let searches = &searches[part.map_or(0..searches.len(), |part| part.range(searches.len()))];
    let (mut log, known) = SearchLog::open(log, variant, evaluation.checksum(), effort)?;
    let mut searcher = PositionSearcher::new(variant, evaluation, effort);
    let bar = Bar::new(searches.len() as u64, 0, "searches");
    for (number, search) in searches.iter().enumerate() {
        if known.get(&search.unknown).is_none()
            && let Some(found) = searcher.search(&search.unknown, || false)
        {
            log.add(&found)?;
        }
        bar.set(number as u64 + 1, String::new());
    }
    bar.finish();
    let seconds = start.elapsed().as_secs_f64();
    writeln!(io::stdout().lock(), "searches={} time={seconds:.1}", searches.len())?;
    Ok(())
}
