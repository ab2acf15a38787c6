//! `manoury book build`: a book grows.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::book::Graph;
use crate::cli::Error;
use crate::cli::game::GameArgument;
use crate::cli::threads::Threads;
use crate::cli::weights::WeightsArgument;
use crate::learn::book::{Settings, grow};
use crate::rules::{Rules, VariantVisitor};

use super::effort::EffortArguments;
use super::keeper::{self, Keeper};
use super::{games, text};

/// Make a book by search
///
/// Of all positions at the ends of the book, the one is expanded that costs least to come to: each ply
/// costs something, and each move what it loses against the best. The book is kept at once, every minute and
/// at the end. Ctrl-C ends the work, and the same command goes on; more positions can be added to a book any
/// time.
///
/// The last line is `expanded=N positions=N score=S time=T`: expanded positions, all that the book knows,
/// what the start is worth for the side to move in men, seconds.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The file of the book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many expanded positions the book is to have
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
    /// Begin with the games of a PDN file; give it more than once for more
    #[arg(long, value_name = "FILE")]
    seed_pdn: Vec<PathBuf>,
    /// The plies of those games that count
    #[arg(long, value_name = "N", default_value_t = 16)]
    plies: usize,
    /// Append a line to this file each time the book is kept: when, how large it is, its score and best line
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// Builds and prints how much.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.game.variant.visit(Builder(arguments))
}

struct Builder<'a>(&'a Arguments);

impl VariantVisitor for Builder<'_> {
    type Output = Result<(), Error>;

    fn visit<R: Rules>(self) -> Self::Output {
        let Arguments { out, positions, threads, weights, seed_pdn, plies, log, .. } = self.0;
        let (start, pool) = (Instant::now(), threads.pool()?);
        let evaluation = weights.open::<R>()?;
        let mut graph: Graph<R> = keeper::open(out)?;
        let games = games::read(seed_pdn, *plies)?;
        let settings = Settings { positions: *positions, effort: self.0.effort.effort() };
        let keeper = Keeper::new(out, log.as_deref(), &evaluation, settings.effort)?;
        let was_interrupted = keeper.during(&mut graph, *positions, |graph| {
            grow(graph, &games, &settings, &evaluation, &pool, &keeper);
        })?;
        writeln!(io::stdout().lock(), "{}", text::summary(&graph, start.elapsed()))?;
        match was_interrupted {
            true => Err(Error::No("interrupted; the same command goes on from here".to_owned())),
            false => Ok(()),
        }
    }
}
