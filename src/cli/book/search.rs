//! `manoury book search`: searches what a book will need next.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::book::Effort;
use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::part::Part;
use crate::cli::progress::Bar;
use crate::cli::weights::WeightsArgument;
use crate::learn::book::{PositionSearcher, ahead};

use super::effort::EffortArguments;
use super::keeper;
use super::searches::SearchLog;

/// Search what a book will need next, so that several processes or machines can share the work
///
/// The results go to a log, and `manoury book build --searches` takes them from there; the book is
/// the same as without. That command itself searches what was not foreseen: the less, the smaller
/// --ahead is against the book. Ctrl-C interrupts the work, and the same command continues it.
///
/// For example, as two processes: manoury book search --book my.book --ahead 100 --part 1/2
/// --log 1.log --nodes-per-position 100000, and with --part 2/2 --log 2.log; then manoury book build
/// --out my.book --positions 1100 --searches 1.log 2.log --nodes-per-position 100000.
///
/// The last line is `searches=N time=T`: expansions in the log, seconds.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The book file; if it is missing, the book has only the start position
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Number of positions that the book is to be expanded by
    #[arg(long, value_name = "N")]
    ahead: usize,
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

/// The effort for telling what will be searched: a small part of it, and in nodes, so that all
/// processes come to the same.
fn guess(effort: Effort) -> Effort {
    const SHARE: u64 = 16;
    /// Nodes that take about a second.
    const SPEED: f64 = 1e6;
    match effort {
        Effort::Nodes(nodes) => Effort::Nodes(nodes.div_ceil(SHARE)),
        Effort::Seconds(seconds) => Effort::Nodes((SPEED * seconds) as u64 / SHARE + 1),
    }
}

/// Makes the searches that the log lacks, and prints a summary.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { book, effort, game, weights, part, log, .. } = arguments;
    let (start, variant, effort) = (Instant::now(), game.variant, effort.effort());
    let evaluation = weights.open(variant)?;
    let mut guesser = PositionSearcher::new(variant, evaluation.clone(), guess(effort));
    let searches = ahead(&mut keeper::open(variant, book)?, arguments.ahead, &mut guesser);
    let searches = &searches[part.map_or(0..searches.len(), |part| part.range(searches.len()))];
    let (mut log, known) = SearchLog::open(log, variant, evaluation.checksum(), effort)?;
    let mut searcher = PositionSearcher::new(variant, evaluation, effort);
    let missing: Vec<_> = searches.iter().filter(|search| known.get(search).is_none()).collect();
    let done = searches.len() - missing.len();
    let bar = Bar::new(searches.len() as u64, done as u64, "searches");
    for (number, positions) in missing.into_iter().enumerate() {
        if let Some(found) = searcher.search(positions, || false) {
            log.add(&found)?;
        }
        bar.set((done + number + 1) as u64, String::new());
    }
    bar.finish();
    let seconds = start.elapsed().as_secs_f64();
    writeln!(io::stdout().lock(), "searches={} time={seconds:.1}", searches.len())?;
    Ok(())
}
