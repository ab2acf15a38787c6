//! `manoury data relabel`: searches positions of games again.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Args;

use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::progress::Bar;
use crate::cli::threads::Threads;
use crate::cli::weights::WeightsArgument;
use crate::engine::{EngineOptions, Resources};
use crate::learn::data::{Relabelling, Shares};
use crate::learn::dataset;
use crate::learn::relabel::{self, RelabelWatch};
use crate::runtime::interrupt::Interrupt;

use super::data_failed;

/// Search positions of games again, with more nodes
///
/// The chosen positions are written to another folder, from which `manoury data` makes data sets as
/// from games. Which they are, and their scores, depend only on the games and the options. Ctrl-C
/// stops after the games that are being searched, and the same command continues.
///
/// With --bitbases the scores of endings are exact; what is won or lost for certain is left out by
/// `manoury train`.
///
/// The last line is `positions=N time=S`: positions searched by this run, seconds.
#[derive(Args, Debug)]
pub struct Arguments {
    /// Folders of games
    #[arg(value_name = "DIR", required = true)]
    from: Vec<PathBuf>,
    /// Folder for the new files
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Nodes after which a search begins no further iteration
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    #[command(flatten)]
    game: GameArgument,
    /// Share of the positions with kings to search, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = percent())]
    kings: u8,
    /// Share of the positions of at most 16 men
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = percent())]
    few: u8,
    /// Share of the positions of more men
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = percent())]
    many: u8,
    /// Folder of bitbases to look endings up in [default: those in the program]
    #[arg(long, value_name = "DIR")]
    bitbases: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    weights: WeightsArgument,
}

fn percent() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(0..=100)
}

/// Searches what is missing, and prints the number of positions.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Arguments { from, out, nodes, kings, few, many, bitbases, threads, .. } = arguments;
    let variant = arguments.game.variant;
    let evaluation = arguments.weights.open(variant)?;
    let options = EngineOptions { bb_dir: bitbases.clone(), ..EngineOptions::default() };
    let resources = || match bitbases {
        Some(_) => Resources::new(variant, &options, evaluation.clone(), None),
        None => Resources::embedded(variant, evaluation.clone()),
    };
    let settings = Relabelling {
        nodes: *nodes,
        weights: evaluation.checksum(),
        bitbase_pieces: resources().bitbases.pieces() as u32,
        shares: Shares { kings: *kings, few: *few, many: *many },
    };
    let files = dataset::files(from).map_err(data_failed)?;
    let positions = dataset::positions(variant, &files).map_err(data_failed)?;
    let (start, pool) = (Instant::now(), threads.pool()?);
    let counter = Counter {
        read: AtomicU64::new(0),
        searched: AtomicU64::new(0),
        interrupt: Interrupt::on_ctrl_c()?,
    };
    let work = || relabel::run(variant, &files, out, &settings, &resources, &pool, &counter);
    let look = |bar: &Bar| {
        let searched = counter.searched.load(Ordering::Relaxed);
        let rate = searched as f64 / start.elapsed().as_secs_f64();
        bar.set(counter.read.load(Ordering::Relaxed), format!("{rate:.0} searched/s"));
    };
    Bar::new(positions, 0, "positions").during(work, look).map_err(data_failed)?;
    let (searched, time) = (counter.searched.into_inner(), start.elapsed().as_secs_f64());
    writeln!(io::stdout().lock(), "positions={searched} time={time:.1}")?;
    match counter.interrupt.is_set() {
        true => Err(Error::No("interrupted; the same command goes on from here".to_owned())),
        false => Ok(()),
    }
}

/// Counts positions.
struct Counter {
    read: AtomicU64,
    searched: AtomicU64,
    interrupt: Interrupt,
}

impl RelabelWatch for Counter {
    fn advance(&self, read: u64, searched: u64) {
        self.read.fetch_add(read, Ordering::Relaxed);
        self.searched.fetch_add(searched, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}
