//! Commands that create and extend books: `build`, `search`, `import` and `merge`.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use crate::book::{Book, BookInfo, FileError, Graph};
use crate::cli::Error;
use crate::cli::args::matches::Part;
use crate::cli::args::{ThreadsArgument, VariantArgument, WeightsArgument, book_failed};
use crate::cli::error::number;
use crate::cli::output::print_stderr;
use crate::cli::output_file;
use crate::cli::progress::ProgressBar;
use crate::erased::{Game, Position};
use crate::learn::book::{
    GrowthSettings, KnownSearches, PositionSearcher, SearchLog, add_games, grow, reserve_batch,
};
use crate::notation::pdn;
use crate::position::Key;
use crate::rules::Variant;
use crate::runtime::interrupt::Interrupt;
use crate::runtime::progress::ProgressCounter;
use crate::storage;

use super::EffortArguments;
use super::recorder::{self, BookSaver};

/// Build a book by search
///
/// Repeatedly expands the cheapest leaf of the book: each ply with a choice of moves costs 0.01
/// man, and each move costs the amount by which its score falls short of the best move. Leaves with
/// a score beyond 1.5 men count as decided and are never expanded. The book is saved at the start,
/// every minute and at the end. Ctrl-C interrupts the work, and the same command resumes it;
/// positions can be added to a book at any time.
///
/// Expanding a position adds about seven new ones to search, one at a time on each core: with 0.1
/// seconds each, 10,000 expanded positions take an hour on two cores. The Hub parameter `book-file`
/// and `manoury dxp --book` make the engine use the book: in positions that are in the book, it
/// moves at once. A Hub engine reports a book that is damaged or for another variant, and plays
/// without it; `manoury dxp` exits with an error.
///
/// The last line is `expanded=N positions=N score=S time=T`: expanded positions, all known
/// positions, the score of the start position for the side to move in men, seconds.
#[derive(Args, Debug)]
#[command(after_long_help = BUILD_EXAMPLES)]
pub struct BuildArguments {
    /// Book file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of expanded positions to reach
    #[arg(long, value_name = "N")]
    positions: usize,
    #[command(flatten)]
    effort: EffortArguments,
    #[command(flatten)]
    game: VariantArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    weights: WeightsArgument,
    /// Start with the games in a PDN file; may be repeated
    #[arg(long, value_name = "FILE")]
    seed_pdn: Vec<PathBuf>,
    /// Number of plies to use from each of these games
    #[arg(long, value_name = "N", default_value_t = 16)]
    plies: usize,
    /// Choose N positions at a time and search them all before any is expanded: a book built with a
    /// node limit is then the same with any number of threads, and several processes can share the
    /// searches; see `manoury book search --help` [default: one position at a time on each core]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..))]
    batch: Option<u32>,
    /// Logs of `manoury book search`, whose results are reused
    #[arg(long, value_name = "LOG", num_args = 1.., requires = "batch")]
    searches: Vec<PathBuf>,
    /// Append a line to this file whenever the book is saved: time, size, score and best line
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// The examples at the end of the help.
const BUILD_EXAMPLES: &str = "Examples:
  manoury book build --out my.book --positions 20 --time-per-position 0.01 \\
    --seed-pdn games.pdn --log my.log
  manoury book build --out nodes.book --positions 20 --nodes-per-position 1000";

/// Builds the book and prints a summary.
pub fn build(arguments: &BuildArguments) -> Result<(), Error> {
    let BuildArguments { out, positions, batch, game, .. } = arguments;
    let (start, variant, pool) = (Instant::now(), game.variant, arguments.threads.pool()?);
    let log = arguments.log.as_deref();
    log.map_or(Ok(()), |log| output_file::check_one_each(&[out, log]))?;
    let evaluation = arguments.weights.open(variant)?;
    let mut graph = recorder::open(variant, out)?;
    let games = read_games(variant, &arguments.seed_pdn, arguments.plies)?;
    let (effort, checksum) = (arguments.effort.effort(), evaluation.checksum());
    let known = KnownSearches::read(variant, checksum, effort, &arguments.searches)?;
    let settings = GrowthSettings {
        positions: *positions,
        effort,
        batch: batch.map(|batch| batch as usize),
        known,
    };
    let saver = BookSaver::new(variant, out, log, checksum, effort)?;
    let was_interrupted = saver.during(&mut graph, *positions, |graph, recorder| {
        grow(graph, &games, &settings, &evaluation, &pool, recorder);
    })?;
    recorder::conclude(&graph, start.elapsed(), was_interrupted)
}

/// Run the searches for the next batch of a book, so that several processes can share the work
///
/// The results go to a log that `manoury book build --batch --searches` reads; with node limits the
/// book is the same as if one process had built it. Ctrl-C interrupts the work, and the same
/// command resumes it. The examples divide the searches between two processes.
///
/// The last line is `searches=N time=T`: positions to expand whose searches are in the log,
/// seconds.
#[derive(Args, Debug)]
#[command(after_long_help = SEARCH_EXAMPLES)]
pub struct SearchArguments {
    /// Book file; if it is missing, the book contains only the start position
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Number of positions in a batch, as for `manoury book build`
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..))]
    batch: u32,
    #[command(flatten)]
    effort: EffortArguments,
    #[command(flatten)]
    game: VariantArgument,
    #[command(flatten)]
    weights: WeightsArgument,
    /// Search only part I of N
    #[arg(long, value_name = "I/N", allow_hyphen_values = true)]
    part: Option<Part>,
    /// Log file for the results
    #[arg(long, value_name = "FILE")]
    log: PathBuf,
}

/// The examples at the end of the help.
const SEARCH_EXAMPLES: &str = "Examples:
  manoury book search --book my.book --batch 10 --nodes-per-position 1000 \\
    --part 1/2 --log 1.log
  manoury book search --book my.book --batch 10 --nodes-per-position 1000 \\
    --part 2/2 --log 2.log
  manoury book build --out my.book --batch 10 --nodes-per-position 1000 \\
    --positions 30 --searches 1.log 2.log";

/// Runs the searches that are missing from the log, and prints a summary.
pub fn search(arguments: &SearchArguments) -> Result<(), Error> {
    let SearchArguments { book, effort, game, weights, part, log, .. } = arguments;
    let (start, variant, effort) = (Instant::now(), game.variant, effort.effort());
    let evaluation = weights.open(variant)?;
    let (mut graph, batch) = (recorder::open(variant, book)?, arguments.batch as usize);
    let mut searches = reserve_batch(&mut graph, batch, usize::MAX);
    searches.retain(|search| !search.unknown.is_empty());
    let searches = &searches[part.map_or(0..searches.len(), |part| part.range(searches.len()))];
    let mut log = SearchLog::open(log, variant, evaluation.checksum(), effort)?;
    let mut searcher = PositionSearcher::new(variant, evaluation, effort);
    let counter = ProgressCounter::new(searches.len() as u64, 0, Interrupt::default());
    ProgressBar::of(counter, 1, "searches")
        .during(|progress| log.complete(searches, &mut searcher, progress), |_| String::new())?;
    let seconds = start.elapsed().as_secs_f64();
    writeln!(io::stdout().lock(), "searches={} time={seconds:.1}", searches.len())?;
    Ok(())
}

/// Add the openings of games to a book
///
/// The positions of the games are expanded as in `manoury book build`: all their moves are
/// searched, not only those played. Ctrl-C interrupts the work, and the same command resumes it.
///
/// The last line is the same as for `manoury book build`.
#[derive(Args, Debug)]
#[command(after_long_help = IMPORT_EXAMPLES)]
pub struct ImportArguments {
    /// PDN files
    #[arg(value_name = "PDN", required = true)]
    files: Vec<PathBuf>,
    /// Book file to create or extend
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    effort: EffortArguments,
    /// Number of plies to use from each game
    #[arg(long, value_name = "N", default_value_t = 16)]
    plies: usize,
    /// Add only positions reached by at least this many games
    #[arg(long, alias = "least", value_name = "N", default_value_t = 1)]
    min_games: usize,
    #[command(flatten)]
    game: VariantArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    weights: WeightsArgument,
}

/// The examples at the end of the help.
const IMPORT_EXAMPLES: &str = "Examples:
  manoury book import games.pdn --out games.book --plies 4 --nodes-per-position 1000";

/// Imports the games and prints a summary.
pub fn import(arguments: &ImportArguments) -> Result<(), Error> {
    let ImportArguments { files, out, effort, plies, min_games, game, threads, weights } =
        arguments;
    let (start, variant, pool) = (Instant::now(), game.variant, threads.pool()?);
    let evaluation = weights.open(variant)?;
    let mut graph = recorder::open(variant, out)?;
    let all = read_games(variant, files, *plies)?;
    if all.is_empty() {
        return Err(Error::Input(format!("no games of {variant} in the files")));
    }
    let games = frequent(&all, *min_games);
    let positions = games.iter().flat_map(|game| game.positions());
    let keys: HashSet<Key> = positions.map(|position| position.key()).collect();
    let (effort, known) = (effort.effort(), KnownSearches::default());
    let settings = GrowthSettings { positions: usize::MAX, effort, batch: None, known };
    let saver = BookSaver::new(variant, out, None, evaluation.checksum(), settings.effort)?;
    let wanted = graph.expanded() + keys.len();
    let was_interrupted = saver.during(&mut graph, wanted, |graph, recorder| {
        add_games(graph, &games, &settings, &evaluation, &pool, recorder);
    })?;
    recorder::conclude(&graph, start.elapsed(), was_interrupted)
}

/// Merge books
///
/// The new book contains all positions of the given books. If several of them contain the same
/// leaf, the deepest search is kept.
///
/// The last line is the same as for `manoury book build`.
#[derive(Args, Debug)]
#[command(after_long_help = MERGE_EXAMPLES)]
pub struct MergeArguments {
    /// Book files; the search settings recorded in the new book are those of the first
    #[arg(value_name = "FILE", required = true, num_args = 2..)]
    files: Vec<PathBuf>,
    /// New book file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    game: VariantArgument,
}

/// The examples at the end of the help.
const MERGE_EXAMPLES: &str = "Examples:
  manoury book merge my.book nodes.book --out both.book";

/// Merges the books and prints a summary.
pub fn merge(arguments: &MergeArguments) -> Result<(), Error> {
    let MergeArguments { files, out, game } = arguments;
    let (start, variant) = (Instant::now(), game.variant);
    let (mut graph, mut first) = (Graph::new(variant), None);
    for path in files {
        let book = Book::open(variant, path).map_err(book_failed)?;
        let failed = |problem| book_failed(FileError { path: path.clone(), problem });
        graph.add(&book).map_err(failed)?;
        first.get_or_insert_with(|| book.about().clone());
    }
    // This cannot happen: the parser requires at least two files.
    let Some(about) = first else { return Ok(()) };
    let about = BookInfo { expanded: graph.expanded() as u64, ..about };
    Book::write(out, &about, &graph.entries()).map_err(book_failed)?;
    writeln!(io::stdout().lock(), "{}", super::summary(&graph, start.elapsed()))?;
    Ok(())
}

/// Reads the first `plies` plies of each game in `files`, up to the first error. Skips games that
/// do not begin at the start position. Reports the number of games with errors and of skipped games
/// on standard error.
///
/// # Errors
///
/// A file cannot be read.
fn read_games(variant: Variant, files: &[PathBuf], plies: usize) -> Result<Vec<Game>, Error> {
    let start = Position::start(variant);
    let mut games = Vec::new();
    for path in files {
        let bytes = fs::read(path).map_err(storage::with_path(path))?;
        let (mut elsewhere, mut faulty) = (0, 0);
        for text in pdn::games(&pdn::decode(&bytes)) {
            let record = match pdn::read_game_leniently(variant, &text, &mut Vec::new()) {
                Ok(record) => Some(record),
                Err(broken) => {
                    faulty += 1;
                    broken.before.map(|record| *record)
                }
            };
            match record {
                Some(record) if record.start == start => {
                    games.push(beginning(&record.game(), plies));
                }
                Some(_) => elsewhere += 1,
                None => {}
            }
        }
        report_skipped(path, elsewhere, faulty);
    }
    Ok(games)
}

fn report_skipped(path: &Path, elsewhere: usize, faulty: usize) {
    let path = path.display();
    if elsewhere > 0 {
        print_stderr(format_args!(
            "{path}: skipped {elsewhere} games that do not begin at the start position"
        ));
    }
    if faulty > 0 {
        print_stderr(format_args!("{path}: {faulty} games with errors, used up to the error"));
    }
}

/// The first `plies` plies of a game.
fn beginning(game: &Game, plies: usize) -> Game {
    let mut beginning = Game::from_position(*game.start());
    for mv in game.moves().into_iter().take(plies) {
        beginning.play(mv);
    }
    beginning
}

/// Truncates each game before its first position that fewer than `min_games` games reach.
fn frequent(games: &[Game], min_games: usize) -> Vec<Game> {
    let mut counts = HashMap::new();
    for position in games.iter().flat_map(Game::positions) {
        *counts.entry(position.key()).or_insert(0_usize) += 1;
    }
    let is_frequent = |position: &&Position| counts[&position.key()] >= min_games;
    let common = |game: &Game| game.positions().iter().take_while(is_frequent).count();
    let common = games.iter().map(|game| (game, common(game)));
    common
        .filter(|&(_, positions)| positions > 0)
        .map(|(game, positions)| beginning(game, positions - 1))
        .collect()
}
