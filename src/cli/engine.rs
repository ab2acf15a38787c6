//! The engine of `dxp` and `play`, and its options as arguments.

use std::path::PathBuf;

use clap::Args;

use crate::bitbase::MAX_PIECES;
use crate::engine::{BookOptions, Engine, EngineOptions, Level, Resources};
use crate::rules::Variant;

use super::Error;
use super::book::BookFile;
use super::notice::tell_faults;
use super::tt_size::TtSize;
use super::weights::WeightsArgument;

/// An engine to play against.
#[derive(Args, Debug)]
pub struct EngineArguments {
    /// Number of search threads
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    #[command(flatten)]
    table: TtSize,
    /// Most pieces of positions that are looked up in bitbases; 0 for no bitbases
    #[arg(long, value_name = "N", default_value_t = MAX_PIECES as u32, value_parser = clap::value_parser!(u32).range(0..=MAX_PIECES as i64))]
    bb_size: u32,
    /// The bitbase folder [default: see `manoury bitbase --help`]
    #[arg(long = "bitbases", alias = "bb-dir", value_name = "DIR")]
    bb_dir: Option<PathBuf>,
    #[command(flatten)]
    weights: WeightsArgument,
    #[command(flatten)]
    book: BookFile,
    /// Play without a book
    #[arg(long, conflicts_with = "book")]
    no_book: bool,
}

impl EngineArguments {
    /// The engine, which tells what it does without. `seed` is that of its random choices.
    ///
    /// # Errors
    ///
    /// The weights or the book cannot be used.
    pub fn engine(
        &self,
        variant: Variant,
        level: Level,
        seed: Option<u64>,
    ) -> Result<Engine, Error> {
        let EngineArguments { threads, table, bb_size, bb_dir, weights, book, no_book } = self;
        let options = EngineOptions {
            threads: usize::from(*threads),
            tt_size: table.tt_size,
            bb_size: *bb_size as usize,
            bb_dir: bb_dir.clone(),
            book: (!no_book).then(BookOptions::default),
            level,
            seed,
            ..EngineOptions::default()
        };
        let book = if *no_book { None } else { book.open(variant)? };
        let resources = Resources::new(variant, &options, weights.open(variant)?, book);
        let mut engine = Engine::with(variant, resources, options);
        tell_faults(&mut engine);
        Ok(engine)
    }
}
