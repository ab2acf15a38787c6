//! Argument groups shared by commands.

pub mod games;
pub mod matches;
pub mod positions;

use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use std::{env, thread};

use clap::{Args, ValueEnum};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::bitbase::{self, BitbaseProblem, MAX_PIECES};
use crate::book::{self, Book, BookProblem};
use crate::cli::Error;
use crate::cli::error::number;
use crate::cli::output::report_faults;
use crate::engine::{
    BookOptions, Engine, EngineOptions, Level, Resources, Strength, bitbase_folder,
    check_table_size, default_bitbase_folder, limits,
};
use crate::erased::Bitbases;
use crate::eval::Evaluation;
use crate::rules::Variant;
use crate::search::{Limits, Mode};
use crate::storage::FormatError;
use crate::weights::{WeightsError, WeightsFile, WeightsProblem, WeightsSource, file};

/// A variant, by default international draughts.
#[derive(Args, Debug)]
pub struct VariantArgument {
    /// Variant: international (or normal, standard), killer, bt, losing, frisian, frysk, brazilian,
    /// russian, english, italian, spanish, german, czech, pool, canadian, turkish
    #[arg(
        short,
        long,
        value_name = "NAME",
        default_value_t = Variant::International,
        hide_default_value = true
    )]
    pub variant: Variant,
}

#[derive(Args, Debug)]
pub struct LimitArguments {
    /// Maximum depth in plies
    #[arg(short, long, value_name = "N", value_parser = number::<u32>(1..))]
    depth: Option<u32>,
    /// Maximum time in seconds
    #[arg(short, long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Maximum number of nodes
    #[arg(short, long, value_name = "N", value_parser = number::<u64>(1..))]
    nodes: Option<u64>,
}

/// Maximum time per position in seconds: a year.
const MAX_SECONDS: f64 = 366.0 * 24.0 * 3600.0;

impl LimitArguments {
    /// The given limits, or the time limit `time` if none are given.
    pub fn or_time(&self, time: Duration) -> Limits {
        self.or(Limits { move_time: Some(time), ..Limits::default() })
    }

    /// The given limits, or `others` if none are given.
    pub fn or(&self, others: Limits) -> Limits {
        let LimitArguments { depth, time, nodes } = *self;
        let limits = Limits { depth, nodes, move_time: time, ..Limits::default() };
        Limits { mode: Mode::Analyze, ..if limits.is_infinite() { others } else { limits } }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=MAX_SECONDS).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("expected seconds from 0 to {MAX_SECONDS}"))
}

/// The strength of the engine.
#[derive(Args, Debug)]
pub struct StrengthArguments {
    /// Playing strength, from 1 (beginner) to 14 (full strength)
    #[arg(long, value_name = "N")]
    level: Option<Level>,
    /// Playing strength in Elo on a scale specific to this program, from 500 (level 1) to 2860
    /// (full strength); see `manoury help play`
    #[arg(long, value_name = "ELO", conflicts_with = "level")]
    elo: Option<Strength>,
}

impl StrengthArguments {
    /// The given strength; `None` if none is given.
    pub fn strength(&self) -> Option<Strength> {
        self.elo.or(self.level.map(Strength::from))
    }
}

/// The number of worker threads.
#[derive(Args, Debug)]
pub struct ThreadsArgument {
    /// Number of worker threads [default: one per core]
    #[arg(long, value_name = "T", value_parser = number::<u16>(1..=limits::MAX_WORKERS.into()))]
    threads: Option<u16>,
}

impl ThreadsArgument {
    /// Creates a thread pool of the given size.
    pub fn pool(&self) -> Result<ThreadPool, Error> {
        // rayon interprets 0 as one thread per core.
        let threads = self.threads.map_or(0, usize::from);
        Ok(ThreadPoolBuilder::new().num_threads(threads).build().map_err(io::Error::other)?)
    }
}

/// The number of search threads, by default one per core.
#[derive(Args, Debug)]
pub struct SearchThreadsArgument {
    /// Number of search threads [default: one per core]
    #[arg(long, value_name = "T", value_parser = number::<u16>(1..=limits::MAX_THREADS.into()))]
    threads: Option<u16>,
}

impl SearchThreadsArgument {
    /// The number of threads, by default one per core.
    pub fn count(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        self.threads.map_or_else(cores, usize::from)
    }
}

/// The number of search threads of an engine, by default one.
#[derive(Args, Debug)]
pub struct EngineThreadsArgument {
    /// Number of search threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = number::<u16>(1..=limits::MAX_THREADS.into()))]
    pub threads: u16,
}

/// The bitbases of an engine.
#[derive(Args, Debug)]
pub struct EngineBitbaseArguments {
    /// Maximum number of pieces for bitbase lookups; 0 turns bitbases off
    #[arg(long, value_name = "N", default_value_t = limits::MAX_BITBASE_PIECES, value_parser = number::<u32>(0..=limits::MAX_BITBASE_PIECES.into()))]
    pub bb_size: u32,
    /// Folder of bitbases, with a subfolder for each variant [default: see `manoury bitbase --help`]
    #[arg(long = "bitbases", alias = "bb-dir", value_name = "DIR")]
    pub bb_dir: Option<PathBuf>,
}

/// The `--json` option, for commands whose help describes the JSON objects.
#[derive(Args, Debug)]
pub struct JsonArgument {
    /// Print JSON, one object per line; `--help` describes the objects
    #[arg(short, long)]
    json: bool,
}

impl JsonArgument {
    /// Whether to print JSON.
    pub fn is_on(&self) -> bool {
        self.json
    }
}

/// The seed of random choices.
#[derive(Args, Debug)]
pub struct SeedArgument {
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// The size of the transposition table.
#[derive(Args, Debug)]
pub struct TableArgument {
    /// Base-2 logarithm of the number of entries in the transposition table, 16 bytes each
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = table_size)]
    pub tt_size: u32,
}

/// Parses the size of a table: a base-2 logarithm. There must be enough memory for the table.
pub fn table_size(text: &str) -> Result<u32, String> {
    let (min, max) = (limits::MIN_TT_SIZE, limits::MAX_TT_SIZE);
    let size = text.parse().ok().filter(|size| (min..=max).contains(size));
    let size = size.ok_or_else(|| format!("expected a whole number from {min} to {max}"))?;
    check_table_size(size).map_err(|fault| fault.to_string())?;
    Ok(size)
}

/// The evaluation that a command uses.
#[derive(Args, Debug)]
pub struct WeightsArgument {
    /// Weights file made by `manoury train`, or `hand` for the hand-crafted weights [default: the
    /// best built-in weights]
    #[arg(long, value_name = "FILE")]
    weights: Option<WeightsSource>,
}

impl WeightsArgument {
    /// The source of the evaluation.
    pub fn source(&self) -> WeightsSource {
        self.weights.clone().unwrap_or_default()
    }

    /// Loads the evaluation for `variant`.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is damaged, or is for a different variant.
    pub fn open(&self, variant: Variant) -> Result<Evaluation, Error> {
        self.source().load(variant).map_err(weights_failed)
    }
}

/// Loads the network in a weights file, to continue training from it.
///
/// # Errors
///
/// The file cannot be read, is damaged, or is for a different variant.
pub fn weights_file(path: &Path, variant: Variant) -> Result<WeightsFile, Error> {
    file::load(path, variant).map_err(weights_failed)
}

fn weights_failed(error: WeightsError) -> Error {
    let message = error.to_string();
    match &error.problem {
        WeightsProblem::Format(problem) => Error::for_file(message, problem),
        WeightsProblem::OtherVariant(_) | WeightsProblem::OtherBase => Error::Input(message),
        WeightsProblem::TooLarge => Error::for_file(message, &FormatError::Corrupt),
    }
}

/// The folder of bitbases to read.
#[derive(Args, Debug)]
pub struct BitbasesArgument {
    /// Folder of bitbases, with a subfolder for each variant [default: see `manoury bitbase --help`]
    #[arg(long = "bitbases", alias = "dir", value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl BitbasesArgument {
    /// The bitbase folder of `variant`; `None` if `--bitbases` is not given and there is no default
    /// folder.
    fn folder(&self, variant: Variant) -> Option<PathBuf> {
        let folder = self.dir.clone().or_else(default_bitbase_folder);
        folder.map(|folder| bitbase_folder(variant, &folder))
    }

    /// Opens all bitbases of `variant`. Files in the folder take precedence over built-in bitbases.
    /// Probes return the stored values, which ignore the limit on consecutive king moves (Frisian).
    ///
    /// # Errors
    ///
    /// A file is unusable, or the folder given by `--bitbases` does not exist.
    pub fn open(&self, variant: Variant) -> Result<Bitbases, Error> {
        let (bitbases, faults) = self.open_usable(variant)?;
        faults.into_iter().next().map_or(Ok(bitbases), |fault| Err(bitbase_failed(fault)))
    }

    /// Like [`BitbasesArgument::open`], but leaves out unusable files, and returns their faults.
    ///
    /// # Errors
    ///
    /// The folder given by `--bitbases` does not exist.
    pub fn open_usable(
        &self,
        variant: Variant,
    ) -> Result<(Bitbases, Vec<bitbase::FileError>), Error> {
        let (mut bitbases, mut faults) = (Bitbases::none(variant), Vec::new());
        bitbases.ignore_king_move_limit();
        if let Some(folder) = self.folder(variant) {
            if self.dir.is_some() {
                check_bitbase_folder(&folder)?;
            }
            faults = bitbases.open(&folder, MAX_PIECES);
        }
        bitbases.add_embedded();
        Ok((bitbases, faults))
    }
}

/// All bitbases of `variant` for games: those in a folder, which take precedence, and the built-in ones.
///
/// # Errors
///
/// A file is unusable, or the folder has no subfolder for the game.
pub fn game_bitbases(variant: Variant, folder: &Path) -> Result<Bitbases, Error> {
    let mut bitbases = Bitbases::none(variant);
    let folder = bitbase_folder(variant, folder);
    check_bitbase_folder(&folder)?;
    add_bitbases(&mut bitbases, &folder)?;
    bitbases.add_embedded();
    Ok(bitbases)
}

fn check_bitbase_folder(folder: &Path) -> Result<(), Error> {
    if folder.is_dir() {
        return Ok(());
    }
    let message = format!("{}: no such folder", folder.display());
    Err(Error::System(io::Error::new(io::ErrorKind::NotFound, message)))
}

fn add_bitbases(bitbases: &mut Bitbases, folder: &Path) -> Result<(), Error> {
    match bitbases.open(folder, MAX_PIECES).into_iter().next() {
        Some(fault) => Err(bitbase_failed(fault)),
        None => Ok(()),
    }
}

/// The error for a bitbase file that cannot be used.
pub fn bitbase_failed(error: bitbase::FileError) -> Error {
    Error::System(io::Error::new(bitbase_error_kind(&error), error.to_string()))
}

/// The kind of the system error for a bitbase file that cannot be used.
pub fn bitbase_error_kind(error: &bitbase::FileError) -> io::ErrorKind {
    match &error.problem {
        BitbaseProblem::Format(FormatError::Io(error)) => error.kind(),
        _ => io::ErrorKind::InvalidData,
    }
}

/// The book that a command reads.
#[derive(Args, Debug)]
pub struct BookArgument {
    /// Book file made by `manoury book build` [default: the built-in book]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

impl BookArgument {
    /// Opens the book; `None` if `--book` is not given and there is no built-in book for `variant`.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is damaged, or is for a different variant.
    pub fn open(&self, variant: Variant) -> Result<Option<Book>, Error> {
        match &self.book {
            None => Ok(Book::embedded(variant)),
            Some(path) => Ok(Some(Book::open(variant, path).map_err(book_failed)?)),
        }
    }

    /// Opens the book; fails if there is none.
    ///
    /// # Errors
    ///
    /// The same as for [`BookArgument::open`], or there is no book.
    pub fn need(&self, variant: Variant) -> Result<Book, Error> {
        self.open(variant)?.ok_or_else(|| {
            Error::Input(format!(
                "there is no built-in book for {variant}; name a file with --book"
            ))
        })
    }
}

/// The error for a book file that cannot be used.
pub fn book_failed(error: book::FileError) -> Error {
    let message = error.to_string();
    match &error.problem {
        BookProblem::Format(problem) => Error::for_file(message, problem),
        BookProblem::OtherVariant(_) => Error::Input(message),
        BookProblem::OtherKeys | BookProblem::Incomplete => {
            Error::for_file(message, &FormatError::Corrupt)
        }
    }
}

/// An engine to play against.
#[derive(Args, Debug)]
pub struct EngineArguments {
    #[command(flatten)]
    threads: EngineThreadsArgument,
    #[command(flatten)]
    table: TableArgument,
    #[command(flatten)]
    bitbases: EngineBitbaseArguments,
    #[command(flatten)]
    weights: WeightsArgument,
    #[command(flatten)]
    book: BookArgument,
    /// Play without an opening book
    #[arg(long, conflicts_with = "book")]
    no_book: bool,
}

impl EngineArguments {
    /// Creates the engine and prints its warnings. `seed` seeds its random choices.
    ///
    /// # Errors
    ///
    /// The weights, the book or the bitbases named by the arguments cannot be used.
    pub fn engine(
        &self,
        variant: Variant,
        strength: Strength,
        seed: Option<u64>,
    ) -> Result<Engine, Error> {
        let EngineArguments { threads, table, bitbases, weights, book, no_book } = self;
        let options = EngineOptions {
            threads: threads.threads.into(),
            tt_size: table.tt_size,
            bb_size: bitbases.bb_size as usize,
            bb_dir: bitbases.bb_dir.clone(),
            book: (!no_book).then(BookOptions::default),
            strength,
            seed,
            ..EngineOptions::default()
        };
        let book = if *no_book { None } else { book.open(variant)? };
        let resources = Resources::new(variant, &options, weights.open(variant)?, book)?;
        let mut engine = Engine::with_resources(variant, resources, options);
        report_faults(&mut engine);
        Ok(engine)
    }
}

/// The `--color` option, which applies to standard output.
#[derive(Args, Debug)]
pub struct ColorArgument {
    /// When to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum ColorChoice {
    Auto,
    Always,
    Never,
}

impl ColorArgument {
    /// Whether to use colours on standard output.
    pub fn is_on(&self) -> bool {
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                io::stdout().is_terminal() && !is_refused
            }
        }
    }
}

/// Parses a range that includes both ends. Error messages show `example`.
pub fn parse_range<T: FromStr + PartialOrd>(
    text: &str,
    example: &str,
) -> Result<RangeInclusive<T>, String> {
    let numbers = || {
        let (least, most) = text.split_once("..")?;
        Some(least.parse().ok()?..=most.parse().ok()?)
    };
    let range = numbers().ok_or_else(|| format!("expected two numbers, such as {example}"))?;
    if range.is_empty() {
        return Err("the second number must not be less than the first".to_owned());
    }
    Ok(range)
}
